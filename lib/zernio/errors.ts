/** Returns Zernio's name of an error's type. */
export function errorTypeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found';
    case 429:
      return 'rate_limit_error';
    case 503:
      return 'platform_error';
    default:
      return status < 500 ? 'invalid_request_error' : 'api_error';
  }
}
