import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Returns the fields of a form. API Gateway encodes bodies with this content type in base64. */
export function readForm({
  body = '',
  isBase64Encoded,
}: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>): URLSearchParams {
  return new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body);
}
