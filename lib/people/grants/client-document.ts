import * as z from 'zod';
import { readable } from '../../kernel/readable-names.ts';
import { isRedirectUri } from './redirect-uri.ts';

/** A client program, as its metadata document describes it. Only the host of its id is proved: the document comes from there. */
export interface Client {
  /** The URL of the document. */
  readonly id: string;
  /** The name on one line, without invisible characters. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** Reads the metadata document at a URL. Never rejects. */
export type FetchClientDocument = (
  url: string,
) => Promise<{ readonly text: string } | { readonly problem: string }>;

const maxIdCharacters = 500;
const maxNameCharacters = 80;

/** Methods by which a client would prove itself with a secret that we share. A document that everybody can read cannot have one. */
const sharedSecret = /^client_secret_/;

const Texts = z.array(z.string());
const ClientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: Texts.min(1).max(100),
  grant_types: Texts.optional(),
  response_types: Texts.optional(),
  token_endpoint_auth_method: z.string().optional(),
  client_secret: z.undefined().optional(),
});

/**
 * Returns the problem with a client's id, from its text alone; `undefined` if it has the form of a document's URL
 * (draft-ietf-oauth-client-id-metadata-document-00, section 3). The guard of addresses checks the rest.
 */
export function problemOfClientId(text: string): string | undefined {
  if (text.length > maxIdCharacters) return `must have at most ${maxIdCharacters} characters`;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    return 'must be the https URL of the client’s metadata document';
  if (url.href !== text) return 'must be written as browsers write it';
  if (`${url.username}${url.password}${url.hash}` !== '') return 'must have no user name and no fragment';
  return url.pathname === '/' ? 'must have a path' : undefined;
}

/**
 * Reads a client's metadata document. Every client counts as public, also one that could sign its requests: a code is of use only
 * with its verifier.
 *
 * @param id the URL from which the text came
 */
export function readClientDocument(
  id: string,
  text: string,
): { readonly client: Client } | { readonly problem: string } {
  const parsed = ClientDocument.safeParse(parseJson(text));
  if (!parsed.success) return { problem: 'it is not a client metadata document' };
  const { client_id, client_name = '', redirect_uris, ...rest } = parsed.data;
  if (client_id !== id) return { problem: 'it names another client_id' };
  if (sharedSecret.test(rest.token_endpoint_auth_method ?? ''))
    return { problem: 'it asks for a shared secret' };
  if (rest.grant_types?.includes('authorization_code') === false)
    return { problem: 'its grant_types lack authorization_code' };
  if (rest.response_types?.includes('code') === false) return { problem: 'its response_types lack code' };
  const redirectUris = redirect_uris.filter(isRedirectUri);
  if (redirectUris.length === 0) return { problem: 'it has no redirect URI with https or to localhost' };
  return { client: { id, name: shownName(client_name) || hostOf(id), redirectUris } };
}

/** Returns the host of a client's id. */
export const hostOf = (clientId: string): string => new URL(clientId).host;

function shownName(name: string): string {
  const characters = [...readable(name.slice(0, 1_000).toWellFormed())];
  return characters.length > maxNameCharacters
    ? `${characters.slice(0, maxNameCharacters - 1).join('')}…`
    : characters.join('');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
