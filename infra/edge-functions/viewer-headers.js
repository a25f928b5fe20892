/**
 * Runs at CloudFront for each request that the panel's host passes on to the HTTP API: reports the viewer's address and host.
 * Headers that a viewer sends under these names are replaced. Afterwards CloudFront itself adds the origin's secret, which shows
 * that the headers come from here.
 *
 * Only our own cookies are passed on. Other hosts of the site can set others, and API Gateway could read one of their values as
 * several cookies.
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
