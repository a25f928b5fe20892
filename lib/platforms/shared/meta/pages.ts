import * as z from 'zod';
import type { Parameters, PlatformResponse } from '../../contract/http.ts';
import { readResponse } from '../json.ts';

const Paging = z.object({ next: z.string() });

/**
 * Reads a list of the Graph API page by page, in the API's order ("Paginated Results": a list ends where `next` is
 * missing; a page may be empty before that).
 *
 * @param read reads a page, selected by the parameters; without parameters, the first
 * @throws PlatformError as `read` does; `unknown` if a response is not as documented
 */
export async function* graphPages<Item>(
  item: z.ZodType<Item>,
  read: (page: Parameters) => Promise<PlatformResponse>,
): AsyncGenerator<Item[]> {
  const Page = z.object({ data: z.array(item), paging: Paging.optional().catch(undefined) });
  let next: Parameters | undefined = {};
  while (next !== undefined) {
    const { data, paging }: z.infer<typeof Page> = readResponse(Page, await read(next));
    yield data;
    next = paging && parametersOf(paging.next);
  }
}

/** Returns the parameters of the next page, whether its list is paged by cursors or by time. Without the token. */
function parametersOf(nextUrl: string): Parameters | undefined {
  if (!URL.canParse(nextUrl)) return undefined;
  const { access_token: _, ...parameters } = Object.fromEntries(new URL(nextUrl).searchParams);
  return parameters;
}
