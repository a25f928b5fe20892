/** The address of the service from the credential. People also enter it with `/v1` or a slash at its end. */
export const baseUrl = '={{ $credentials.url.trim().replace(/(\\/v1)?\\/*$/, "") }}';
