/**
 * Runs at CloudFront for each request that the panel's host passes on to the HTTP API: says which address and which host the viewer
 * used. What a viewer sends under these names is replaced. The origin's secret, which shows that the headers come from here, is
 * added by CloudFront itself afterwards.
 *
 * Of the cookies only ours go on. Other hosts of the site can set others, whose values API Gateway could read as several cookies.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name.
function handler(event) {
  const request = event.request;
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  request.headers['x-viewer-host'] = { value: request.headers.host.value };
  delete request.headers['x-origin-secret'];
  for (const name of Object.keys(request.cookies))
    if (name !== '__Host-session' && name !== '__Host-sign-in') delete request.cookies[name];
  return request;
}
