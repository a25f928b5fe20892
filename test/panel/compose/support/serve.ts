import { listSectionsOperation } from '../../../../lib/accounts/boards/operations.ts';
import { readCreatorInfoOperation } from '../../../../lib/accounts/operations.ts';
import type { AccountView } from '../../../../lib/accounts/schemas.ts';
import { readPostOperation } from '../../../../lib/posts/operations.ts';
import {
  createPostOperation,
  editPostOperation,
  validatePostOperation,
} from '../../../../lib/posts/request/operations.ts';
import { CreatePostBody } from '../../../../lib/posts/request/schemas.ts';
import type { PostAdaptation, PostLinkCard } from '../../../../lib/posts/view/schemas.ts';
import {
  accountOf,
  tiktok as expiredTiktok,
  instagram,
  linkedin,
  pinterest,
  replyOf,
  serveAccounts,
  youtube,
} from '../../support/accounts.ts';
import type { FakeApi, FakeReply } from '../../support/fake-api.ts';
import { answer } from '../../support/operation-answers.ts';
import { listedPostOf, postOf, targetOf } from '../../support/posts.ts';

export const threads = accountOf(37, {
  platform: 'threads',
  username: 'nordlicht',
  displayName: 'Nordlicht Threads',
  capabilities: ['publish', 'comments'],
});
export const tiktok = accountOf(38, {
  platform: 'tiktok',
  username: 'nordlicht',
  displayName: 'Nordlicht TikTok',
  capabilities: ['publish', 'drafts'],
});
export const composeAccounts = [
  instagram,
  threads,
  tiktok,
  youtube,
  linkedin,
  pinterest,
  { ...expiredTiktok, displayName: 'Old TikTok' },
];

type Finding = Readonly<Record<string, unknown>>;
export const finding = (
  field: string,
  message: string,
  account?: { id: string; platform: string },
): Finding => ({
  accountId: account?.id ?? null,
  platform: account?.platform ?? null,
  field,
  code: 'content_too_long',
  message,
});

/** A picture that an account gets in another form. */
export const adaptation = (
  { id: accountId, platform }: Pick<AccountView, 'id' | 'platform'>,
  changes: Partial<PostAdaptation> = {},
): PostAdaptation => ({
  accountId,
  platform,
  field: 'mediaItems[0]',
  changes: ['shape'],
  message: 'cropped to 1080 × 1350 pixels',
  contentType: 'image/jpeg',
  width: 1_080,
  height: 1_350,
  url: null,
  ...changes,
});

interface Given {
  readonly accounts?: Parameters<typeof serveAccounts>[1] extends infer G
    ? G extends { accounts?: infer A }
      ? A
      : never
    : never;
  readonly problems?: (body: { platforms?: readonly { accountId: string }[] }) => readonly Finding[];
  readonly warnings?: readonly Finding[];
  readonly adaptations?: (body: CreatePostBody) => readonly PostAdaptation[];
  readonly linkCards?: (body: CreatePostBody) => readonly PostLinkCard[];
}

/** Answers everything that the composer asks. */
export function serveComposer(
  api: FakeApi,
  {
    accounts = composeAccounts,
    problems = () => [],
    warnings = [],
    adaptations = () => [],
    linkCards = () => [],
  }: Given = {},
): FakeApi {
  serveAccounts(api, { accounts });
  answer(api, validatePostOperation, ({ body }) => {
    const found = problems(body as never);
    const made = { adaptations: adaptations(body), linkCards: linkCards(body) };
    return { valid: found.length === 0, problems: found, warnings, ...made } as never;
  });
  api.on('POST /v1/posts', ({ body }) =>
    replyOf(createPostOperation, created(CreatePostBody.parse(body).scheduledFor), 201),
  );
  api.on('GET /v1/accounts/{id}/creator-info', () =>
    replyOf(readCreatorInfoOperation, {
      creatorInfo: {
        nickname: 'Nordlicht',
        username: 'nordlicht',
        avatarUrl: null,
        privacyLevels: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
        commentDisabled: false,
        duetDisabled: true,
        stitchDisabled: false,
        maxVideoSeconds: 600,
      },
    }),
  );
  api.on('GET /v1/accounts/{id}/boards/{boardId}/sections', () =>
    replyOf(listSectionsOperation, { sections: [{ id: '5', name: 'Espresso' }] }),
  );
  return api;
}

export const storedPost = (
  changes: Parameters<typeof listedPostOf>[1] = {},
  own: Parameters<typeof postOf>[1] = {},
) =>
  postOf(
    listedPostOf(1, {
      content: 'Fresh beans from Ethiopia',
      status: 'scheduled',
      scheduledFor: '2027-03-14T08:30:00.000Z',
      platforms: [
        targetOf(threads, { scheduledFor: '2027-03-14T08:30:00.000Z' }),
        targetOf(linkedin, { scheduledFor: '2027-03-14T08:30:00.000Z' }),
      ],
      ...changes,
    }),
    own,
  );

const created = (scheduledFor: string | undefined) => ({
  post: storedPost({
    scheduledFor: scheduledFor === 'auto' ? '2027-03-15T08:00:00.000Z' : (scheduledFor ?? null),
    status: scheduledFor === undefined ? 'draft' : 'scheduled',
  }),
  warnings: [],
});

/** The reply to a key that was used before. */
export const replayed = (isMismatch: boolean, content = 'As it was first'): FakeReply =>
  replyOf(createPostOperation, {
    post: storedPost({ content }),
    existingPost: storedPost({ content }),
    idempotencyMismatch: isMismatch,
    warnings: [],
  });

export function servePost(
  api: FakeApi,
  post: () => ReturnType<typeof storedPost>,
  edited: () => ReturnType<typeof storedPost> | FakeReply = post,
): FakeApi {
  api.on('GET /v1/posts/{id}', () => replyOf(readPostOperation, { post: post() }));
  answer(api, editPostOperation, () => {
    const reply = edited();
    return 'body' in reply ? (reply as FakeReply) : ({ post: reply, warnings: [] } as never);
  });
  return api;
}
