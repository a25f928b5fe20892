import * as z from 'zod';
import { PlatformError } from '../contract/errors.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { callGraph, GraphId } from '../shared/meta/graph.ts';
import { apiRoot, appSecretProof } from './client.ts';
import { facebook } from './errors.ts';

/** A Page that a person manages. */
export interface ManagedPage {
  readonly id: string;
  readonly name: string;
  readonly username?: string | undefined;
  readonly category?: string | undefined;
  readonly pictureUrl?: string | undefined;
  readonly accessToken: string;
  /** The person's tasks on the Page; absent if Facebook does not say, as in the lists of a business. */
  readonly tasks?: readonly string[] | undefined;
}

const text = z.string().optional().catch(undefined);
const paging = z
  .object({ next: text, cursors: z.object({ after: text }).optional().catch(undefined) })
  .optional()
  .catch(undefined);
const Page = z.object({
  id: GraphId,
  name: z.string().catch(''),
  username: text,
  category: text,
  access_token: text,
  tasks: z.array(z.string()).optional().catch(undefined),
  picture: z
    .object({ data: z.object({ url: text }) })
    .optional()
    .catch(undefined),
});
const Pages = z.object({ data: z.array(Page), paging });
const Businesses = z.object({ data: z.array(z.object({ id: GraphId })), paging });

const pageFields = 'id,name,username,access_token,category,picture.type(large)';
/**
 * The fields of a person's own Pages. Only `me/accounts` knows `tasks`. The lists of a business return plain Pages and
 * refuse the field: "(#100) Tried accessing nonexisting field (tasks) on node type (Page)".
 * https://developers.facebook.com/docs/graph-api/reference/user/accounts/ ("Fields") and
 * https://developers.facebook.com/docs/marketing-api/reference/business/owned_pages/ ("a list of Page nodes")
 */
const ownPageFields = `${pageFields},tasks`;
/** The limit on calls for one list. With 100 items each, it allows 1,000 Pages or businesses per person. */
const maxCalls = 10;

/**
 * Lists every Page of a person once: their own, and with `business_management` those of their businesses, which the
 * first list may lack. Leaves out a list of a business that Facebook refuses: the other Pages can still be connected. Asks once more
 * if Facebook does not answer.
 *
 * @param token the person's long-lived token; the Pages' tokens live as long as it does
 * @param withBusinesses true if the person granted `business_management`
 * @throws PlatformError `rejected` if there are too many; Facebook's own refusal if it shows no Page at all; `unknown` or `retry` if
 *   it does not answer
 */
export async function listPages(
  token: string,
  withBusinesses: boolean,
  tools: PlatformTools,
): Promise<readonly ManagedPage[]> {
  const list = <T>(path: string, schema: z.ZodType<Listed<T>>, fields: string) =>
    readAll(path, schema, { fields }, token, tools);
  const found = await list('me/accounts', Pages, ownPageFields);
  let refusal: PlatformError | undefined;
  const listIfShown = async <T>(path: string, schema: z.ZodType<Listed<T>>, fields: string): Promise<T[]> => {
    try {
      return await list(path, schema, fields).catch((error: unknown) => {
        if (!isTemporary(error)) throw error;
        return list(path, schema, fields);
      });
    } catch (error) {
      // Without an answer, Pages would be missing from the choice without a word. The person logs in again.
      if (!(error instanceof PlatformError) || error === tooManyPages || isTemporary(error)) throw error;
      refusal ??= error;
      return [];
    }
  };
  const businesses = withBusinesses ? await listIfShown('me/businesses', Businesses, 'id') : [];
  for (const { id } of businesses) {
    for (const edge of ['owned_pages', 'client_pages']) {
      found.push(...(await listIfShown(`${encodeURIComponent(id)}/${edge}`, Pages, pageFields)));
    }
  }
  const managed = new Map<string, ManagedPage>();
  for (const { access_token: accessToken, picture, ...page } of found) {
    // The person's own list comes first, and it alone says what they may do on a Page. They cannot post to a Page that is
    // listed without a token.
    if (accessToken === undefined || managed.has(page.id)) continue;
    managed.set(page.id, { ...page, accessToken, pictureUrl: picture?.data.url });
  }
  if (managed.size === 0 && refusal) throw refusal;
  return [...managed.values()];
}

/** True if the same call may succeed a moment later. */
const isTemporary = (error: unknown): boolean =>
  error instanceof PlatformError && (error.remedy === 'unknown' || error.remedy === 'retry');

const tooManyPages = new PlatformError(
  'rejected',
  'This Facebook login has too many Pages: connect again and select fewer.',
);

interface Listed<T> {
  readonly data: T[];
  readonly paging?: z.infer<typeof paging>;
}

/** Reads all pages of a list. Uses the cursors, because the URL in `paging.next` contains a token. */
async function readAll<T>(
  path: string,
  schema: z.ZodType<Listed<T>>,
  query: Parameters,
  token: string,
  tools: PlatformTools,
): Promise<T[]> {
  const all: T[] = [];
  let after: string | undefined;
  for (let calls = 0; calls < maxCalls; calls += 1) {
    const response = await callGraph(tools, facebook, {
      method: 'GET',
      url: `${apiRoot(tools)}/${path}`,
      token,
      query: { ...query, limit: '100', after, ...appSecretProof(token, tools) },
    });
    const page = readResponse(schema, response);
    all.push(...page.data);
    after = page.paging?.cursors?.after;
    if (page.paging?.next === undefined || after === undefined) return all;
  }
  throw tooManyPages;
}
