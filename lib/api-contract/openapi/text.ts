/** The introduction of the API's document, in Markdown. */
export const overview = `
Schedules posts to connected social accounts and reports the outcome of each.

**API keys.** \`Authorization: Bearer yay_…\`. A key gives access to one workspace and nothing else. A thing that belongs to
another workspace gets the same response as one that does not exist. A revoked key is rejected within 30 seconds.
A key may be limited to some accounts. For it, the others do not exist, and neither do their automations, nor the posts that name
one of them as a destination or in their chain. Files belong to the whole workspace.

**Ids and times.** Ids are UUIDs in lower case. Times are ISO 8601 in UTC. Responses may get more fields in future. Unknown
fields in requests are ignored. An unknown option in \`platformSpecificData\` is ignored with a warning; an option that the
platform has and the service does not offer gets 400.

**Lists.** A list is \`{ <nouns>, nextCursor }\`. For the next page, pass \`nextCursor\` as \`cursor\` with the same filters. It
is null on the last page. A page may be shorter than \`limit\`, or empty.

**Errors.** Every error of the service is \`{ error, code, details? }\`. API Gateway returns some errors before the service
sees the request. They have the shape \`{ message }\` and none of the service's headers: a body over 10 MB (413), request
line and headers over 10,240 bytes (431), its own throttle, far above any address's limit (429, without \`Retry-After\`), and
500 and 503 if a function failed or is not available.

**Rate limits.** Requests are counted per address (IPv6: per /64 network) and minute, over all routes under \`/v1\`. An API key and a
workspace may have limits besides. Every response to them has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, which
describe the limit that has the fewest requests left. A request over a limit gets 429 with \`Retry-After\`, and the message says which
limit it was. The count is exact, and each minute starts with the full limit.

**Request ids.** Every response of the service has \`X-Request-Id\`. Quote it when you report a problem.

**Events** are POSTed to your endpoints; see Webhooks below. Each event is delivered at least once, in no guaranteed order.
`.trim();
