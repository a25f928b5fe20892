import type { Operation } from '../operation.ts';

/** The tag of each path, by its prefix. The first match counts. */
const groups = [
  [
    '/v1/workspace',
    'Workspace',
    'The workspace of the API key: its files, accounts and posts belong together.',
  ],
  ['/v1/audit', 'Workspace'],
  [
    '/v1/accounts/{id}/rhythm',
    'Rhythm',
    'The weekly slots of posts with `scheduledFor: "auto"`, per API key and account.',
  ],
  ['/v1/accounts', 'Accounts', 'Accounts at the platforms, and how people connect them.'],
  ['/v1/connect', 'Accounts'],
  ['/v1/media', 'Media', 'The files that posts publish.'],
  ['/v1/posts', 'Posts', 'Posts: drafts, scheduled or published, with one destination for each account.'],
  ['/v1/webhooks', 'Webhooks', 'Your endpoints. The events that they receive are listed under Webhooks.'],
  ['/v1/links', 'Tracked links'],
  ['/v1/deliveries', 'Webhooks'],
  [
    '/v1/comment-automations',
    'Comment automations',
    'Answer comments on Instagram posts publicly, with a private message, or both.',
  ],
  ['/r/', 'Tracked links', 'The short links that messages contain. Whoever opens them needs no key.'],
  ['/', 'Service', 'The service itself, for programs that check or describe it.'],
] as const;

/** Returns the tag under which the document lists an operation. */
export function tagOf({ path }: Operation): string {
  return groups.find(([start]) => path.startsWith(start))?.[1] ?? 'Service';
}

/** Returns the tags of these operations, in order of their first operation. */
export function tags(operations: readonly Operation[]): { name: string; description?: string }[] {
  const descriptions = new Map<string, string>(
    groups.flatMap(([, name, description]) => (description === undefined ? [] : [[name, description]])),
  );
  return [...new Set(operations.map(tagOf))].map((name) => {
    const description = descriptions.get(name);
    return { name, ...(description !== undefined && { description }) };
  });
}
