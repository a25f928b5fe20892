import type { Operation } from '../operation.ts';

/** What a path is about, by how it begins; the first that fits. */
const groups = [
  ['/v1/workspace', 'Workspace'],
  [
    '/v1/accounts/{id}/rhythm',
    'Rhythm',
    'When a channel takes posts with `scheduledFor: "auto"`, by key and account.',
  ],
  ['/v1/accounts', 'Accounts'],
  ['/v1/connect', 'Accounts'],
  ['/v1/media', 'Media'],
  ['/v1/posts', 'Posts'],
  ['/v1/webhooks', 'Webhooks', 'Endpoints of yours; what they are sent stands under Webhooks, by event.'],
  ['/v1/comment-automations', 'Comment automations'],
  ['/r/', 'Tracked links'],
  ['/oauth', 'Browser', "Where people's browsers come to when they connect an account: pages, not JSON."],
  ['/platforms', 'Platforms', 'What platforms call.'],
  ['/', 'Service'],
] as const;

/** The group that the document lists an operation in. */
export function tagOf({ path }: Operation): string {
  return groups.find(([start]) => path.startsWith(start))?.[1] ?? 'Service';
}

/** The groups of these operations, in the order in which they come. */
export function tags(operations: readonly Operation[]): { name: string; description?: string }[] {
  const descriptions = new Map<string, string | undefined>(
    groups.map(([, name, description]) => [name, description]),
  );
  return [...new Set(operations.map(tagOf))].map((name) => {
    const description = descriptions.get(name);
    return { name, ...(description !== undefined && { description }) };
  });
}
