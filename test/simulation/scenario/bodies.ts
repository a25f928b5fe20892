import { boardIdOf } from '@herald/platform-simulators/pinterest/state.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { sourceBaseUrl } from '../cloud/sources.ts';
import type { FileName, PlannedPost, PlannedStep, PlannedTarget } from './plan.ts';
import type { ReadyWorkspace } from './setup.ts';

/** The public URLs of the files that a workspace has uploaded. */
export type Files = Readonly<Record<FileName, string>>;

/** Possible parts of a platform's posts: files, the first one if a post names none, and options. */
interface Possible {
  readonly files: readonly (FileName | undefined)[];
  readonly options?: (username: string) => object;
  readonly hasFirstComments?: true;
}

const possible: Readonly<Record<Platform, Possible>> = {
  facebook: { files: [undefined, 'image.jpg', 'video.mp4'], hasFirstComments: true },
  instagram: { files: ['image.jpg', 'image.png', 'video.mp4'], hasFirstComments: true },
  linkedin: { files: [undefined, 'image.jpg'] },
  pinterest: {
    files: ['image.jpg'],
    options: (username) => ({ boardId: boardIdOf(username, 'Harbour'), title: 'Harbour' }),
  },
  threads: { files: [undefined, 'image.jpg', 'video.mp4'], hasFirstComments: true },
  tiktok: { files: ['video.mp4'], options: () => ({ privacyLevel: 'PUBLIC_TO_EVERYONE' }) },
  youtube: { files: ['video.mp4'], options: () => ({ title: 'Harbour', privacy: 'public' }) },
};

const typeOf = { 'image.jpg': 'image', 'image.png': 'image', 'video.mp4': 'video' } as const;

/** The file that a post on the platform gets if it asks for one, or for none. */
function fileFor(platform: Platform, asked: FileName | undefined): FileName | undefined {
  const { files } = possible[platform];
  return files.includes(asked) ? asked : files[0];
}

/** The files that a post needs, also once it is edited. */
export function filesOf({ targets, chain, actions }: PlannedPost, { accounts }: ReadyWorkspace): FileName[] {
  const edited = actions.flatMap((action) => (action.kind === 'edit' ? (action.targets ?? []) : []));
  const asked: readonly Pick<PlannedTarget, 'account' | 'file' | 'isImported'>[] = [
    ...[...targets, ...edited, ...chain],
  ];
  return [
    ...new Set(
      asked.flatMap(({ account, file, isImported }) => {
        if (isImported) return [];
        const platform = accounts[account]?.platform;
        return (platform && fileFor(platform, file)) ?? [];
      }),
    ),
  ];
}

function mediaFor(platform: Platform, asked: FileName | undefined, files: Files) {
  const file = fileFor(platform, asked);
  return file === undefined ? [] : [{ type: typeOf[file], url: files[file] }];
}

/** The addresses of a post's files on the customer's own server. */
const sourcesOf = ({ name }: PlannedPost): Files => ({
  'image.jpg': `${sourceBaseUrl}/${name}/image.jpg`,
  'image.png': `${sourceBaseUrl}/${name}/image.png`,
  'video.mp4': `${sourceBaseUrl}/${name}/video.mp4`,
});

function optionsFor(platform: Platform, { username }: ReadyWorkspace, hasFirstComment = false) {
  const { options, hasFirstComments } = possible[platform];
  return { ...options?.(username), ...(hasFirstComment && hasFirstComments && { firstComment: 'first' }) };
}

function entryOf(
  post: PlannedPost,
  { account: index, file, isImported, hasOwnText, hasFirstComment, furtherParts = 0, dueMs }: PlannedTarget,
  workspace: ReadyWorkspace,
  files: Files,
) {
  const account = workspace.accounts[index];
  if (!account) throw new Error(`there is no account ${index}`);
  const media = mediaFor(account.platform, file, isImported ? sourcesOf(post) : files);
  const thread = Array.from({ length: furtherParts }, (_, part) => ({
    content: partTextOf(textOf(post), part + 1),
    ...(part === furtherParts - 1 && { mediaItems: media }),
  }));
  return {
    accountId: account.id,
    platformSpecificData: {
      ...optionsFor(account.platform, workspace, hasFirstComment),
      ...(furtherParts > 0 && { thread }),
    },
    customMedia: media,
    ...(hasOwnText && { customContent: `${textOf(post)} for ${account.platform}` }),
    ...(dueMs !== undefined && { scheduledFor: toTimestamp(dueMs) }),
  };
}

export const textOf = ({ text, name }: PlannedPost): string => text ?? name;

/** The text of a part of a thread. @param part counted from 0; the first is the post itself */
export const partTextOf = (text: string, part: number): string =>
  part === 0 ? text : `${text}, part ${part + 1}`;

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
  const media = mediaFor(account.platform, undefined, files);
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
    ? chained.flatMap((one) => mediaFor(one, undefined, files))
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
