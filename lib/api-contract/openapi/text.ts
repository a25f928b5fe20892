/** The introduction of the API's document, in Markdown. */
export const overview = `
Schedules posts to connected social accounts and reports the outcome of each.

**API keys.** \`Authorization: Bearer yay_…\`. A key gives access to one workspace and nothing else. A thing that belongs to
another workspace gets the same response as one that does not exist. A revoked key is rejected within 30 seconds.
A key may be limited to some accounts. For it, the others do not exist, and neither do their automations, nor the posts that name
one of them as a destination or in their chain. It sees files that it uploaded or imported itself, and those of posts that it sees.

**Ids and times.** Ids are UUIDs. Responses have them in lower case; requests may have either case. Times are ISO 8601 in UTC.

**Nothing is ignored silently.** An unknown parameter of the query gets 400. An unknown field of the body is ignored, and \`warnings\` of
the response says so, with the field that was probably meant. So is an unknown option in \`platformSpecificData\`. But if the request makes
something go live without another request, a field by which its author certainly meant something gets 400: its name is close to a known
one (\`scheduldFor\`), or a platform or another client uses it (\`mediaUrls\`, \`geoRestriction\`). A draft has a warning, and cannot be
scheduled until a change has dealt with the field. \`dryRun: true\` says what a request would do. In a request that creates something,
\`null\` counts as absent in every field that need not be sent. In a change (PATCH) it clears a field that may be null, and gets 400 in
any other. Responses may get more fields in future.

**Lists.** A list is \`{ <nouns>, nextCursor }\`. For the next page, pass \`nextCursor\` as \`cursor\` with the same filters. It
is null on the last page. A page may be shorter than \`limit\`, or empty.

**Errors.** Every error of the service is \`{ error, code, param?, docUrl, details? }\`. \`code\` names the cause and never changes its
meaning; more codes may be added. \`docUrl\` leads to a page about it, and \`/docs/errors\` lists all codes. A path that exists answers a
method that it does not have with 405 and \`Allow\`. API Gateway returns some errors before the service sees the request. They have the shape \`{ message }\` and none of the service's headers: a body over 10 MB (413), request
line and headers over 10,240 bytes (431), its own throttle, far above any address's limit (429, without \`Retry-After\`), and
500 and 503 if a function failed or is not available.

**Rate limits.** Requests are counted per address (IPv6: per /64 network) and minute, over all routes under \`/v1\`. An API key and a
workspace may have additional limits. Every response to them has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, which
describe the limit that has the fewest requests left. A request over a limit gets 429 with \`Retry-After\`, and the message says which
limit it was. The count is exact, and each minute starts with the full limit.

**Request ids.** Every response of the service has \`X-Request-Id\`. Quote it when you report a problem.

**Events** are POSTed to your endpoints; see Webhooks below. Each event is delivered at least once, in no guaranteed order.
`.trim();
