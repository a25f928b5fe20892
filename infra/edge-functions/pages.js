/**
 * Runs at CloudFront for each request of the panel's site: every address without a file extension is a page of the app, which
 * chooses its content in the browser.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name.
function handler(event) {
  const request = event.request;
  const lastSegment = request.uri.slice(request.uri.lastIndexOf('/') + 1);
  if (!lastSegment.includes('.')) request.uri = '/index.html';
  return request;
}
