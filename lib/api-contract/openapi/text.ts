/** What holds for the whole API, in Markdown. */
export const overview = `
Schedules posts to connected social accounts, and tells you what became of them.

**Keys.** \`Authorization: Bearer yay_…\`. A key speaks for one workspace and sees nothing else; what belongs to another
answers like what does not exist. A revoked key is refused within 30 seconds.

**Ids and times.** Ids are UUIDs in lower case, times ISO 8601 in UTC. Answers may come to have more fields; fields nobody
knows are ignored in requests.

**Lists.** A list is \`{ <nouns>, nextCursor }\`. Pass \`nextCursor\` back as \`cursor\`, with the same filters; it is null at
the end. A page may be shorter than \`limit\`.

**Errors.** Every error of the service is \`{ error, code, details? }\`. API Gateway makes some itself, before the service
sees the request, in its own shape \`{ message }\` and without the service's headers: a body over 10 MB (413), request line
and headers over 10,240 bytes (431), its own throttle, far above any address's limit (429, without \`Retry-After\`), and 500
and 503 where a function failed or is not to be had.

**Rate limit.** Counted per address (IPv6 by /64) and minute, over all routes under \`/v1\`. Every answer carries
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`; over the limit it is 429 with \`Retry-After\`. The
count is exact; a new minute begins with a whole new limit.

**Request ids.** Every answer of the service carries \`X-Request-Id\`.

**Events** are POSTed to your endpoints; they stand below under Webhooks. At least once, in no promised order.
`.trim();
