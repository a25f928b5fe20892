import { boardIdOf } from '../../../infra/local/platforms/pinterest/state.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { PlannedPost, PlannedStep, PlannedTarget } from './plan.ts';
import type { ReadyWorkspace } from './setup.ts';

export type FileName = 'image.jpg' | 'video.mp4';

/** The public URLs of the files that a workspace has uploaded. */
export type Files = Readonly<Record<FileName, string>>;

/** What a platform's posts need: a file, and options. */
const needs: Readonly<
  Record<Platform, { readonly file?: FileName; readonly options?: (username: string) => object }>
> = {
  facebook: {},
  instagram: { file: 'image.jpg' },
  linkedin: {},
  pinterest: {
    file: 'image.jpg',
    options: (username) => ({ boardId: boardIdOf(username, 'Harbour'), title: 'Harbour' }),
  },
  threads: {},
  tiktok: { file: 'video.mp4', options: () => ({ privacyLevel: 'PUBLIC_TO_EVERYONE' }) },
  youtube: { file: 'video.mp4', options: () => ({ title: 'Harbour', privacy: 'public' }) },
};

const typeOf = { 'image.jpg': 'image', 'video.mp4': 'video' } as const;

/** The files that posts of these platforms need. */
export function filesFor(platforms: readonly Platform[]): FileName[] {
  return [...new Set(platforms.flatMap((platform) => needs[platform].file ?? []))];
}

function mediaFor(platform: Platform, files: Files) {
  const { file } = needs[platform];
  return file === undefined ? [] : [{ type: typeOf[file], url: files[file] }];
}

const optionsFor = (platform: Platform, { username }: ReadyWorkspace) =>
  needs[platform].options?.(username) ?? {};

function entryOf(
  post: PlannedPost,
  { account: index, hasOwnText, dueMs }: PlannedTarget,
  workspace: ReadyWorkspace,
  files: Files,
) {
  const account = workspace.accounts[index];
  if (!account) throw new Error(`there is no account ${index}`);
  return {
    accountId: account.id,
    platformSpecificData: optionsFor(account.platform, workspace),
    customMedia: mediaFor(account.platform, files),
    ...(hasOwnText && { customContent: `${textOf(post)} for ${account.platform}` }),
    ...(dueMs !== undefined && { scheduledFor: toTimestamp(dueMs) }),
  };
}

export const textOf = ({ text, name }: PlannedPost): string => text ?? name;

export const entriesOf = (
  post: PlannedPost,
  targets: readonly PlannedTarget[],
  workspace: ReadyWorkspace,
  files: Files,
) => targets.map((target) => entryOf(post, target, workspace, files));

function stepOf(
  post: PlannedPost,
  { kind, account: index, afterMinutes }: PlannedStep,
  workspace: ReadyWorkspace,
  files: Files,
) {
  const account = workspace.accounts[index];
  if (!account) throw new Error(`there is no account ${index}`);
  const media = mediaFor(account.platform, files);
  return {
    kind,
    accountIds: [account.id],
    afterMinutes,
    options: { [account.id]: optionsFor(account.platform, workspace) },
    ...(kind === 'followUp' && { content: `${post.name} follows`, mediaItems: media }),
  };
}

/** The body of the request that creates a post. */
export function createBody(post: PlannedPost, workspace: ReadyWorkspace, files: Files) {
  const { due, targets, chain, name } = post;
  const chained = chain
    .map(({ account }) => workspace.accounts[account]?.platform)
    .flatMap((one) => one ?? []);
  // A cross-post publishes the post's own content and files.
  const shared = chain.some(({ kind }) => kind === 'crossPost')
    ? chained.flatMap((one) => mediaFor(one, files))
    : [];
  return {
    content: textOf(post),
    mediaItems: shared.slice(0, 1),
    platforms: entriesOf(post, targets, workspace, files),
    chain: chain.map((step) => stepOf(post, step, workspace, files)),
    idempotencyKey: name,
    ...(due === 'now' ? { publishNow: true } : { scheduledFor: due === 'auto' ? 'auto' : toTimestamp(due) }),
  };
}
