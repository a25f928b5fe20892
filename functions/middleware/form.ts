import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The longest body, as it arrives. Anybody may send one before it is counted, and some megabytes of fields take seconds. */
const maxCharacters = 100_000;

/** Returns the fields of a form; none if it is too long. API Gateway encodes bodies with this content type in base64. */
export function readForm({
  body = '',
  isBase64Encoded,
}: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>): URLSearchParams {
  if (body.length > maxCharacters) return new URLSearchParams();
  return new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body);
}
