// Package convert converts experiments between the versions of the API. It never fails for an object that the API server can hold, and never
// loses anything: what the other version cannot express exactly is kept in an annotation, and comes back from there.
//
// It works on the objects' JSON, not on their types, so that texts stay as they were written: the rules of the API compare a duration of 60s with
// the stored text, to which 1m0s is a change.
package convert
