import { Permission } from '../../access/permissions.ts';
import { invalidField } from '../../kernel/errors.ts';
import {
  type Client,
  type FetchClientDocument,
  problemOfClientId,
  readClientDocument,
} from './client-document.ts';
import { isRegistered } from './redirect-uri.ts';
import { resourcesAt } from './resources.ts';

/** The parameters of an authorization request, as the client sent them. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** A request that a person can decide about. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly resource: string;
  readonly challenge: string;
  readonly state: string | undefined;
  /** The permissions that the client asks for. */
  readonly permissions: readonly Permission[];
}

/** A request that its client must correct. */
export interface RefusedRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** A code of RFC 6749, section 4.1.2.1, or RFC 8707, section 2. */
  readonly error: string;
  readonly description: string;
}

/** The permissions that are proposed to a client that asks for none: it reads, and leaves what it wants published to a person. */
export const usualPermissions: readonly Permission[] = ['read', 'draft'];

const maxStateCharacters = 2_000;
/** The form of an S256 challenge: https://www.rfc-editor.org/rfc/rfc7636#section-4.2 */
const challengeForm = /^[\w-]{43}$/;

/**
 * Reads an authorization request, and the metadata document of its client.
 *
 * @param baseUrl of the API, which is the issuer
 * @throws HeraldError `invalid` for the client or its redirect URI: nobody must be sent anywhere then
 */
export async function readAuthorizationRequest(
  { fetchClientDocument, baseUrl }: { fetchClientDocument: FetchClientDocument; baseUrl: string },
  parameters: Parameters,
): Promise<AuthorizationRequest | RefusedRequest> {
  const client = await readClient(fetchClientDocument, parameters['client_id'] ?? '');
  const redirectUri = parameters['redirect_uri'] ?? '';
  if (!isRegistered(redirectUri, client.redirectUris))
    throw invalidField('redirect_uri', 'is none of those in the client’s metadata document');
  const { state } = parameters;
  const about = { client, redirectUri, state: state !== undefined && isTooLong(state) ? undefined : state };
  const problem = problemOf(parameters, resourcesAt(baseUrl));
  if (problem) return { ...about, ...problem };
  return {
    ...about,
    resource: parameters['resource'] ?? '',
    challenge: parameters['code_challenge'] ?? '',
    permissions: permissionsIn(parameters['scope']),
  };
}

const isTooLong = (state: string): boolean => state.length > maxStateCharacters;

async function readClient(fetchClientDocument: FetchClientDocument, id: string): Promise<Client> {
  const wrong = problemOfClientId(id);
  if (wrong !== undefined) throw invalidField('client_id', wrong);
  const fetched = await fetchClientDocument(id);
  const read = 'problem' in fetched ? fetched : readClientDocument(id, fetched.text);
  if ('problem' in read) throw invalidField('client_id', `its document cannot be used: ${read.problem}`);
  return read.client;
}

type Problem = Pick<RefusedRequest, 'error' | 'description'>;

function problemOf(parameters: Parameters, resources: readonly string[]): Problem | undefined {
  const { response_type, response_mode = 'query', state = '', resource } = parameters;
  if (parameters['request'] !== undefined)
    return { error: 'request_not_supported', description: 'request is not supported' };
  if (parameters['request_uri'] !== undefined)
    return { error: 'request_uri_not_supported', description: 'request_uri is not supported' };
  if (response_type !== 'code')
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  if (response_mode !== 'query') return invalid('response_mode must be query');
  if (isTooLong(state)) return invalid(`state must have at most ${maxStateCharacters} characters`);
  if (parameters['code_challenge_method'] !== 'S256') return invalid('code_challenge_method must be S256');
  if (!challengeForm.test(parameters['code_challenge'] ?? ''))
    return invalid('code_challenge must be that of S256');
  if (resource === undefined || !resources.includes(resource))
    return { error: 'invalid_target', description: `resource must be ${resources[0]}` };
  return undefined;
}

const invalid = (description: string): Problem => ({ error: 'invalid_request', description });

/** Returns the permissions in a scope. Other scopes, such as `offline_access`, are for other servers. */
function permissionsIn(scope: string | undefined): readonly Permission[] {
  const asked = new Set(scope?.split(' '));
  const permissions = Permission.options.filter((each) => asked.has(each));
  return permissions.length === 0 ? usualPermissions : permissions;
}

/**
 * Returns the URL that brings an answer to the client. It names the issuer, so that the client can tell ours from another server's
 * (RFC 9207).
 */
export function answerUrl(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  baseUrl: string,
  answer: { readonly code: string } | { readonly error: string; readonly error_description?: string },
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: baseUrl });
  // The client's own query stays as it is.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}
