/** What keeps a connection from being made, or ends it, by the code that Node.js or OpenSSL gives. */
const wordsByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ETIMEDOUT: 'the host cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  EADDRNOTAVAIL: 'the host cannot be reached',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate comes from an authority that is not publicly trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate comes from an authority that is not publicly trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate comes from an authority that is not publicly trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate was sent without the intermediate certificates it needs',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
};

export const closedEarly = 'the connection was closed before the answer was complete';

const closedCodes = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

/** Whether the other side, or the network, ended a connection that stood. */
export function isClosing(error: unknown): boolean {
  return closedCodes.includes(codeOf(error) ?? '');
}

/**
 * Why a POST got no answer, for the endpoint's owner. Made of fixed words and a code alone: the error's own message may
 * name addresses.
 */
export function failureInWords(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return 'the connection failed';
  if (isClosing(error)) return closedEarly;
  if (code.startsWith('HPE_') && !(code in wordsByCode)) return 'the answer is not valid HTTP';
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'no common ground for TLS was found';
  return wordsByCode[code] ?? `the connection failed (${code})`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
