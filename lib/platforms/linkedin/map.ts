import type { Json } from '../../kernel/json.ts';
import type { PublishJob } from '../contract/adapter.ts';
import { isNotOlder, plainText } from '../shared/listed-posts.ts';
import { readOptions } from '../shared/options.ts';
import { fromLittleText, toLittleText } from './little-text.ts';
import { LinkedinOptions } from './options.ts';

type Content = Pick<PublishJob, 'content' | 'options' | 'account'>;

/** Whether the account is an organization, not a member. The account's id is its URN. */
export function isOrganization({ account }: Pick<PublishJob, 'account'>): boolean {
  return account.platformAccountId.startsWith('urn:li:organization:');
}

/**
 * The body of the call that creates the post. Deterministic: `reconcile` relies on sending the same bytes again.
 *
 * @param assets the URNs of the job's media, in order
 * @throws PlatformError `rejected` for options that the rules refuse
 */
export function postRequest(job: Content, assets: readonly string[]): { readonly [field: string]: Json } {
  const options = readOptions(LinkedinOptions, job.options);
  const content = contentOf(options, assets);
  return {
    author: job.account.platformAccountId,
    commentary: toLittleText(job.content),
    visibility: options.visibility ?? 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(content && { content }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: options.disableReshare ?? false,
  };
}

function contentOf(options: LinkedinOptions, assets: readonly string[]): Json | undefined {
  const { link, title, description, altText } = options;
  const [first] = assets;
  if (link !== undefined) {
    const article = {
      source: link,
      title: title ?? link,
      ...(description !== undefined && { description }),
      ...(first !== undefined && { thumbnail: first }),
    };
    return { article };
  }
  if (first === undefined) return undefined;
  const texts = typeof altText === 'string' ? [altText] : altText;
  const images = assets.map((id, index) => ({ id, ...(texts?.[index] && { altText: texts[index] }) }));
  if (images.length > 1) return { multiImage: { images } };
  const media = { id: first, ...images[0], ...(title !== undefined && { title }) };
  return { media };
}

/** A post as the API returns it. */
export interface ReadPost {
  readonly id: string;
  readonly commentary?: string | undefined;
  /** Epoch milliseconds. */
  readonly publishedAt?: number | undefined;
  /** The URNs of its media, in order. */
  readonly assets: readonly string[];
}

/** Whether a post is the job's: it has the same text and media, and is not older than `since` (epoch milliseconds). */
export function matchesJob(post: ReadPost, job: Content, assets: readonly string[], since: number): boolean {
  const isSameMedia =
    readOptions(LinkedinOptions, job.options).link !== undefined ||
    post.assets.join(' ') === assets.join(' ');
  return (
    isSameMedia &&
    normalize(post.commentary ?? '') === normalize(toLittleText(job.content)) &&
    isNotOlder(post.publishedAt, since)
  );
}

function normalize(commentary: string): string {
  return plainText(fromLittleText(commentary));
}

export function permalinkOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`;
}
