import { closedEarly, closingCodes, type ExchangeFailure } from './exchange.ts';

/** The reasons why a connection failed, by the error code of Node.js or OpenSSL. */
const wordsByCode: Readonly<Record<string, string>> = {
  ...Object.fromEntries(closingCodes.map((code) => [code, closedEarly])),
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
  HPE_HEADER_OVERFLOW: 'the headers of the response are too large',
};

/**
 * Explains why a request got no response, to the owner of the host. The text consists of fixed words and a code only, because
 * the error's own message may contain addresses.
 */
export function failureInWords({ code, message }: Pick<ExchangeFailure, 'code' | 'message'>): string {
  if (code === undefined) return message;
  if (code.startsWith('HPE_') && !(code in wordsByCode)) return 'the response is not valid HTTP';
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'the TLS handshake failed';
  return wordsByCode[code] ?? message;
}
