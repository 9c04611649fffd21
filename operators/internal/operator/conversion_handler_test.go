package operator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// renamed converts objects that have a name, to versions of one letter.
func renamed(object []byte, apiVersion string) ([]byte, error) {
	var in struct{ Name string }
	if err := json.Unmarshal(object, &in); err != nil {
		return nil, err
	}
	switch {
	case len(apiVersion) != 1:
		return nil, fmt.Errorf("unknown version %q", apiVersion)
	case in.Name == "":
		return nil, errors.New("it has no name")
	}
	return fmt.Appendf(nil, `{"name":"%s in %s"}`, in.Name, apiVersion), nil
}

func review(request string) string {
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":` + request + `}`
}

func TestAnswersWithAllObjectsOrTheReason(t *testing.T) {
	for name, test := range map[string]struct {
		request string
		want    []string
		fails   string
	}{
		"one object": {`{"uid":"1","desiredAPIVersion":"b","objects":[{"name":"x"}]}`, []string{`{"name":"x in b"}`}, ""},
		"the items of a list, in their order": {`{"uid":"1","desiredAPIVersion":"b","objects":[{"name":"x"},{"name":"y"}]}`,
			[]string{`{"name":"x in b"}`, `{"name":"y in b"}`}, ""},
		"an empty list":      {`{"uid":"1","desiredAPIVersion":"b","objects":[]}`, nil, ""},
		"a bad object":       {`{"uid":"1","desiredAPIVersion":"b","objects":[{"name":"x"},{}]}`, nil, "it has no name"},
		"an unknown version": {`{"uid":"1","desiredAPIVersion":"beta","objects":[{"name":"x"}]}`, nil, `unknown version "beta"`},
		"no object":          {`{"uid":"1","desiredAPIVersion":"b","objects":[7]}`, nil, "cannot unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := httptest.NewRecorder()
			ConversionHandler(renamed).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, ConversionPath, strings.NewReader(review(test.request))))
			require.Equal(t, http.StatusOK, answer.Code, answer.Body)
			var got apiextensionsv1.ConversionReview
			require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &got))
			assert.Equal(t, metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "ConversionReview"}, got.TypeMeta)
			assert.Nil(t, got.Request, "it would double the answer")
			assert.EqualValues(t, "1", got.Response.UID)
			var objects []string
			for _, object := range got.Response.ConvertedObjects {
				objects = append(objects, string(object.Raw))
			}
			assert.Equal(t, test.want, objects)
			if test.fails == "" {
				assert.Equal(t, metav1.StatusSuccess, got.Response.Result.Status)
				return
			}
			assert.Equal(t, metav1.StatusFailure, got.Response.Result.Status)
			assert.Contains(t, got.Response.Result.Message, test.fails)
		})
	}
}

func TestRejectsWhatIsNoReviewOrTooLarge(t *testing.T) {
	large := review(`{"uid":"1","desiredAPIVersion":"b","objects":[{"name":"` + strings.Repeat("x", maxConversion) + `"}]}`)
	for name, test := range map[string]struct {
		body io.Reader
		code int
		says string
	}{
		"no JSON":                    {strings.NewReader("hello"), http.StatusBadRequest, "send one as JSON"},
		"nothing":                    {strings.NewReader(""), http.StatusBadRequest, "send one as JSON"},
		"no request":                 {strings.NewReader(`{"apiVersion":"apiextensions.k8s.io/v1"}`), http.StatusBadRequest, "perhaps no request"},
		"an older review":            {strings.NewReader(`{"apiVersion":"apiextensions.k8s.io/v1beta1","request":{}}`), http.StatusBadRequest, "v1beta1"},
		"too large":                  {strings.NewReader(large), http.StatusRequestEntityTooLarge, "--chunk-size"},
		"too large, of unknown size": {io.MultiReader(strings.NewReader(large)), http.StatusRequestEntityTooLarge, "--chunk-size"},
	} {
		t.Run(name, func(t *testing.T) {
			answer := httptest.NewRecorder()
			ConversionHandler(renamed).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, ConversionPath, test.body))
			assert.Equal(t, test.code, answer.Code)
			assert.Contains(t, answer.Body.String(), test.says)
		})
	}
}

// A client that sends nothing holds its place. Others wait for it, or give up.
func TestAFewRequestsAtATime(t *testing.T) {
	handler := ConversionHandler(renamed)
	for range conversionsAtOnce {
		body, hold := io.Pipe()
		t.Cleanup(func() { _ = hold.Close() })
		go handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, ConversionPath, body))
		_, err := hold.Write([]byte("{")) // read: it has a place
		require.NoError(t, err)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	late := httptest.NewRecorder()
	handler.ServeHTTP(late, httptest.NewRequest(http.MethodPost, ConversionPath, strings.NewReader("hello")).WithContext(ctx))
	assert.Empty(t, late.Body.String(), "it is not read")
}
