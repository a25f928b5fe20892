import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { withAccess } from '../accounts/platform-access.ts';
import { PathId } from '../api-contract/fields.ts';
import { notFound } from '../kernel/errors.ts';
import type { FetchPicture } from '../link-cards/fetch.ts';
import type { ImageRecipe } from '../media/renditions/recipe.ts';
import type { RenditionPorts } from '../media/renditions/run-rendition.ts';
import { type AccountPostsContext, findListedAccount } from './account-posts.ts';
import { automationLimits } from './limits.ts';

export const PostPicturePath = z.object({
  id: PathId,
  platformPostId: z.string().min(1).max(automationLimits.platformPostIdCharacters).meta({
    description: 'The id of the post at Instagram, as the list of posts has it',
  }),
});

/** The length of each side in pixels. The panel shows a quarter of it, and screens have up to three pixels for one. */
const side = 160;

export const PostPicture = z.object({
  contentType: z.literal('image/jpeg'),
  data: z.base64().meta({ description: `A JPEG of ${side} × ${side} pixels, in base64` }),
});
export type PostPicture = z.infer<typeof PostPicture>;

/** JPEGs of this size have about 6 KB. */
const recipe: ImageRecipe = {
  kind: 'image',
  contentType: 'image/jpeg',
  widthPixels: side,
  heightPixels: side,
  maxBytes: 32_768,
  fit: 'crop',
  background: '#ffffff',
};

export interface PostPictureContext
  extends AccountPostsContext,
    Pick<RenditionPorts, 'render' | 'withFolder'> {
  readonly fetchPicture: FetchPicture;
  readonly report: (message: string, details: unknown) => void;
}

/**
 * Returns a small picture of a post that the platform shows to the account; null if there is none to be had. The caller gives the
 * post's id, and only the platform's answer says where its picture is, so this fetches nothing else for anybody.
 *
 * @throws HeraldError as `listAccountPosts`, and `not_found` for a post that the platform does not show to the account
 */
export async function readPostPicture(
  context: PostPictureContext,
  accountId: string,
  platformPostId: string,
): Promise<PostPicture | null> {
  const { account, platform } = await findListedAccount(context, accountId);
  const found = await withAccess(context, account, 'id', async (accessToken, tools) => {
    const { platformAccountId, username } = account;
    const request = { account: { platformAccountId, username }, accessToken, platformPostId };
    const post = await platform.readPost(request, tools);
    // In the local run, the simulator serves the pictures as well.
    const url = post?.pictureUrl?.startsWith('https://') ? tools.http.addressOf(post.pictureUrl) : undefined;
    return post && { url };
  });
  if (!found) throw notFound('post');
  if (found.url === undefined) return null;
  const fetched = await context.fetchPicture(found.url, context.workspaceId);
  const made = 'problem' in fetched ? fetched : await shrink(context, fetched);
  if (!('problem' in made)) return { contentType: 'image/jpeg', data: made.toString('base64') };
  context.report('a picture of a post could not be shown', { platformPostId, problem: made.problem });
  return null;
}

/** Decodes a picture of unknown origin, in a process of its own, and encodes a small one. */
async function shrink(
  { render, withFolder }: PostPictureContext,
  { contentType, bytes }: { readonly contentType: string; readonly bytes: Uint8Array },
): Promise<Buffer | { readonly problem: string }> {
  const original = {
    contentType,
    sizeBytes: bytes.length,
    readRange: async (first: number, last: number) => bytes.subarray(first, last + 1),
  };
  return withFolder(async (folder) => {
    const rendered = await render(recipe, original, folder);
    return rendered.state === 'rendered' ? readFile(rendered.path) : { problem: rendered.reason };
  });
}
