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
  /** What the person may do on the Page. */
  readonly tasks: readonly string[];
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
  tasks: z.array(z.string()).catch([]),
  picture: z
    .object({ data: z.object({ url: text }) })
    .optional()
    .catch(undefined),
});
const Pages = z.object({ data: z.array(Page), paging });
const Businesses = z.object({ data: z.array(z.object({ id: GraphId })), paging });

const pageFields = 'id,name,username,access_token,tasks,category,picture.type(large)';
/** 100 items each: allows 1,000 Pages or businesses per person. */
const maxCalls = 10;

/**
 * Lists every Page of a person once: their own, and with `business_management` those of their businesses, which the
 * first list may lack.
 *
 * @param token the person's long-lived token; the Pages' tokens live as long as it does
 * @param withBusinesses whether the person granted `business_management`
 * @throws PlatformError `rejected` if there are too many
 */
export async function listPages(
  token: string,
  withBusinesses: boolean,
  tools: PlatformTools,
): Promise<readonly ManagedPage[]> {
  const list = <T>(path: string, schema: z.ZodType<Listed<T>>, query: Parameters) =>
    readAll(path, schema, query, token, tools);
  const found = await list('me/accounts', Pages, { fields: pageFields });
  if (withBusinesses) {
    const businesses = await list('me/businesses', Businesses, { fields: 'id' });
    for (const { id } of businesses) {
      for (const edge of ['owned_pages', 'client_pages']) {
        found.push(...(await list(`${encodeURIComponent(id)}/${edge}`, Pages, { fields: pageFields })));
      }
    }
  }
  const managed = found.flatMap(({ access_token: accessToken, picture, ...page }) =>
    // The person cannot post to a Page that is listed without a token.
    accessToken === undefined ? [] : [{ ...page, accessToken, pictureUrl: picture?.data.url }],
  );
  return [...new Map(managed.map((page) => [page.id, page])).values()];
}

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
  throw new PlatformError(
    'rejected',
    'This Facebook login has too many Pages: connect again and select fewer.',
  );
}
