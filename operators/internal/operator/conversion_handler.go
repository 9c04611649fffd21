package operator

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	// ConversionPath is the path of the requests. charts/ringside sets it in the CustomResourceDefinition.
	ConversionPath = "/convert"
	// maxConversion bounds the bytes of a request. An API server sends the objects of a list in one.
	maxConversion = 32 << 20
	// conversionsAtOnce bounds the requests in memory, and conversionPatience the time in which a client must have sent one.
	conversionsAtOnce  = 2
	conversionPatience = 20 * time.Second
)

// ConvertObject returns an object, which is JSON, in the given apiVersion.
type ConvertObject func(object []byte, apiVersion string) ([]byte, error)

// ConversionHandler answers ConversionReviews. Anyone who reaches the port can send one: what it costs is bounded, and nothing but the sent objects is read.
func ConversionHandler(convert ConvertObject) http.Handler {
	places := make(chan struct{}, conversionsAtOnce)
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.ContentLength > maxConversion {
			tooLarge(w)
			return
		}
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		case <-request.Context().Done():
			return
		}
		// A server that has no deadlines, as in tests, returns an error, and waits longer.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(conversionPatience))
		var review apiextensionsv1.ConversionReview
		err := json.NewDecoder(http.MaxBytesReader(w, request.Body, maxConversion)).Decode(&review)
		switch large := new(http.MaxBytesError); {
		case errors.As(err, &large):
			tooLarge(w)
		case err != nil:
			http.Error(w, fmt.Sprintf("read a ConversionReview: %v; send one as JSON", err), http.StatusBadRequest)
		case review.Request == nil || review.APIVersion != apiextensionsv1.SchemeGroupVersion.String():
			http.Error(w, fmt.Sprintf("read a ConversionReview: it has apiVersion %q and perhaps no request; send one of %s with a request",
				review.APIVersion, apiextensionsv1.SchemeGroupVersion), http.StatusBadRequest)
		default:
			review.Request, review.Response = nil, answer(review.Request, convert)
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(review) // the API server notices that it has no answer
		}
	})
}

func tooLarge(w http.ResponseWriter) {
	http.Error(w, fmt.Sprintf("read a ConversionReview: it has more than %d bytes; list objects in smaller pages (kubectl --chunk-size), or in the stored version",
		maxConversion), http.StatusRequestEntityTooLarge)
}

// answer converts all objects of a request, or none.
func answer(request *apiextensionsv1.ConversionRequest, convert ConvertObject) *apiextensionsv1.ConversionResponse {
	response := &apiextensionsv1.ConversionResponse{UID: request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, object := range request.Objects {
		converted, err := convert(object.Raw, request.DesiredAPIVersion)
		if err != nil {
			response.ConvertedObjects = nil
			response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error(), Reason: metav1.StatusReasonInvalid, Code: http.StatusUnprocessableEntity}
			return response
		}
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Raw: converted})
	}
	return response
}
