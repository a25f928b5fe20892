import * as z from 'zod';
import type { Mention, MentionPlatform, MentionSearch } from '../contract/mentions.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { callLinkedin } from './client.ts';
import { followersScope } from './features.ts';
import { isOrganization } from './map.ts';

const text = z.string().optional().catch(undefined);
const Organizations = z.object({
  elements: z.array(z.object({ id: z.union([z.int(), z.string()]), localizedName: text, vanityName: text })),
});
const People = z.object({
  elements: z.array(z.object({ member: z.string(), firstName: text, lastName: text, headline: text })),
});

/**
 * Organizations by their vanity name, which is exact, and followers of the account's own organization by the beginning of their name.
 * LinkedIn offers apps no other search.
 */
export const linkedinMentions: MentionPlatform = {
  lack: (account) =>
    isOrganization({ account })
      ? undefined
      : 'must be an organization: LinkedIn looks nobody up for the apps of members. A mention that an organization has found works in their posts too, if it is of an organization',

  async find(search, tools) {
    const [organizations, people] = await Promise.all([
      findOrganizations(search, tools),
      search.account.scopes?.includes(followersScope) ? findFollowers(search, tools) : [],
    ]);
    return [...organizations, ...people];
  },
};

/** @see https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api */
async function findOrganizations(
  { query, accessToken: bearer }: MentionSearch,
  tools: PlatformTools,
): Promise<Mention[]> {
  const vanityName = vanityNameIn(query);
  if (vanityName === undefined) return [];
  const finder = {
    method: 'GET',
    path: 'organizations',
    query: { q: 'vanityName', vanityName },
    bearer,
  } as const;
  const { elements } = readResponse(Organizations, await callLinkedin(tools, finder));
  return elements.flatMap(({ id, localizedName: name, vanityName: found = '' }) =>
    name === undefined
      ? []
      : { kind: 'organization', name, description: found, text: mention(name, `urn:li:organization:${id}`) },
  );
}

/** @see https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-atmention-search-api */
async function findFollowers(
  { query: keywords, accessToken: bearer, account }: MentionSearch,
  tools: PlatformTools,
): Promise<Mention[]> {
  const query = { q: 'organizationFollowers', keywords, organization: account.platformAccountId };
  const response = await callLinkedin(tools, { method: 'GET', path: 'peopleTypeahead', query, bearer });
  return readResponse(People, response).elements.flatMap(({ member, firstName, lastName, headline }) => {
    const name = [firstName, lastName].filter(Boolean).join(' ');
    if (name === '') return [];
    return { kind: 'person', name, description: headline ?? null, text: mention(name, member) };
  });
}

const mention = (name: string, urn: string): string => `@[${name.replaceAll(/[[\]\r\n]/g, ' ')}](${urn})`;

/** Returns the vanity name in a query: the query itself, or the part of an address of LinkedIn; undefined if it can be none. */
function vanityNameIn(query: string): string | undefined {
  const [, inAddress] = /linkedin\.com\/(?:company|school|showcase)\/([^/?#]+)/i.exec(query) ?? [];
  const name = inAddress ?? query.trim().replaceAll(/\s+/g, '-');
  return /^[\p{L}\p{N}._-]{1,100}$/u.test(name) ? name : undefined;
}
