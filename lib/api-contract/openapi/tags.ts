import type { Operation } from '../operation.ts';

/** The tag of each path, by its prefix. The first match counts. */
const groups = [
  ['/v1/workspace', 'Workspace'],
  [
    '/v1/accounts/{id}/rhythm',
    'Rhythm',
    'The weekly slots of posts with `scheduledFor: "auto"`, per API key and account.',
  ],
  ['/v1/accounts', 'Accounts'],
  ['/v1/connect', 'Accounts'],
  ['/v1/media', 'Media'],
  ['/v1/posts', 'Posts'],
  ['/v1/webhooks', 'Webhooks', 'Your endpoints. The events that they receive are listed under Webhooks.'],
  ['/v1/links', 'Tracked links'],
  ['/v1/deliveries', 'Webhooks'],
  ['/v1/comment-automations', 'Comment automations'],
  ['/r/', 'Tracked links'],
  ['/oauth', 'Browser', 'Pages that people see in a browser when they connect an account. Not JSON.'],
  ['/platforms', 'Platforms', 'Routes that the platforms call.'],
  ['/', 'Service'],
] as const;

/** The tag under which the document lists an operation. */
export function tagOf({ path }: Operation): string {
  return groups.find(([start]) => path.startsWith(start))?.[1] ?? 'Service';
}

/** The tags of these operations, in order of their first operation. */
export function tags(operations: readonly Operation[]): { name: string; description?: string }[] {
  const descriptions = new Map<string, string | undefined>(
    groups.map(([, name, description]) => [name, description]),
  );
  return [...new Set(operations.map(tagOf))].map((name) => {
    const description = descriptions.get(name);
    return { name, ...(description !== undefined && { description }) };
  });
}
