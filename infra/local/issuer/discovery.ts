import { knownPrompts, knownScopes } from './authorization-request.ts';
import { algorithm } from './signing-keys.ts';

/** The paths of the endpoints. */
export const paths = {
  discovery: '/.well-known/openid-configuration',
  jwks: '/jwks.json',
  authorization: '/authorize',
  proceed: '/continue',
  token: '/token',
  userInfo: '/userinfo',
  endSession: '/end-session',
} as const;

/** The provider's metadata (OpenID Connect Discovery, section 3). */
export function discoveryDocument(url: string) {
  return {
    issuer: url,
    authorization_endpoint: url + paths.authorization,
    token_endpoint: url + paths.token,
    userinfo_endpoint: url + paths.userInfo,
    jwks_uri: url + paths.jwks,
    end_session_endpoint: url + paths.endSession,
    scopes_supported: knownScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: knownPrompts,
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'email',
      'email_verified',
      'name',
    ],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
  };
}
