import type { Json } from '../../kernel/json.ts';
import type { PublishJob } from '../contract/adapter.ts';
import type { LivePost } from '../contract/live-post.ts';
import { altTextOf } from '../shared/alt-text.ts';
import { comparableText, isOtherPage, isSameText, type Likeness } from '../shared/find-listed.ts';
import { readOptions } from '../shared/options.ts';
import { cutText } from '../shared/text.ts';
import { articleCharacters, defaultTitleCharacters } from './limits.ts';
import { fromLittleText, toLittleText } from './little-text.ts';
import { LinkedinOptions } from './options.ts';

type Content = Pick<PublishJob, 'content' | 'options' | 'account' | 'media' | 'card'>;

/** Returns true if the account is an organization, not a member. The account's id is its URN. */
export function isOrganization({
  account,
}: {
  readonly account: Pick<PublishJob['account'], 'platformAccountId'>;
}): boolean {
  return account.platformAccountId.startsWith('urn:li:organization:');
}

/**
 * Returns the body of the call that creates the post.
 *
 * @param assets the URNs of the job's media, in order
 * @throws PlatformError `rejected` for options that the rules refuse
 */
export function postRequest(job: Content, assets: readonly string[]): { readonly [field: string]: Json } {
  const options = readOptions(LinkedinOptions, job.options);
  const content = contentOf(job, options, assets);
  const { reshare, geoLocations = [] } = options;
  return {
    author: job.account.platformAccountId,
    commentary: toLittleText(job.content),
    visibility: options.visibility ?? 'PUBLIC',
    distribution: {
      feedDistribution: 'MAIN_FEED',
      targetEntities: geoLocations.length === 0 ? [] : [{ geoLocations: [...new Set(geoLocations)] }],
      thirdPartyDistributionChannels: [],
    },
    ...(content && { content }),
    ...(reshare !== undefined && { reshareContext: { parent: reshare } }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: options.disableReshare ?? false,
  };
}

function contentOf(job: Content, options: LinkedinOptions, assets: readonly string[]): Json | undefined {
  const { link, description, altText, poll } = options;
  const [first] = assets;
  const isDocument = first?.startsWith('urn:li:document:') === true;
  const title =
    options.documentTitle ?? options.title ?? (isDocument ? defaultDocumentTitle(job) : undefined);
  if (poll !== undefined) {
    const { question, duration } = poll;
    return { poll: { question, options: poll.options.map((text) => ({ text })), settings: { duration } } };
  }
  if (link !== undefined) {
    const article = {
      source: link,
      title: title ?? cutText(link, articleCharacters.title),
      ...(description !== undefined && { description }),
      ...(first !== undefined && { thumbnail: first }),
    };
    return { article };
  }
  if (job.card !== undefined && job.media.length === 0) {
    const { url, title, description } = job.card;
    const texts = { source: url, title, ...(description !== undefined && { description }) };
    return { article: { ...texts, ...(first !== undefined && { thumbnail: first }) } };
  }
  if (first === undefined) return undefined;
  const images = assets.map((id, index) => {
    const text = isDocument ? undefined : altTextOf(altText, job.media, index);
    return { id, ...(text !== undefined && { altText: text }) };
  });
  if (images.length > 1) return { multiImage: { images } };
  const media = { id: first, ...images[0], ...(title !== undefined && { title }) };
  return { media };
}

/**
 * Returns a title for a document without one, because LinkedIn requires it ("Documents API"): the file's name, as in
 * other clients, or the first line of the content if the name says nothing.
 *
 * @returns at most 100 characters
 */
function defaultDocumentTitle({ content, media }: Pick<PublishJob, 'content' | 'media'>): string {
  const firstLine = content.split('\n').find((line) => line.trim() !== '');
  const title = nameOf(media[0]?.url ?? '') ?? firstLine?.trim() ?? 'Document';
  return cutText(title, defaultTitleCharacters);
}

/** The names that say nothing, as devices and Herald give them: without a word, a long hexadecimal number, or a general word. */
const emptyNames = /^(?:[^\p{L}]*|[0-9a-f ]{16,}|file|document|download|scan|unknown|untitled)$/iu;

/** Returns the file's name without its extension, in words. Undefined if it says nothing. */
function nameOf(address: string): string | undefined {
  const file = URL.parse(address)?.pathname.split('/').at(-1) ?? '';
  const name = decoded(file)
    .replace(/\.[a-z0-9]{1,10}$/i, '')
    .replaceAll(/[-_+\s]+/g, ' ')
    .trim();
  return emptyNames.test(name) ? undefined : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A post as the API returns it. */
export interface ReadPost {
  readonly id: string;
  readonly commentary?: string | undefined;
  /** Epoch milliseconds. */
  readonly createdMs?: number | undefined;
  /** The URNs of the post's media, in order, or of a link's preview. */
  readonly assets: readonly string[];
  /** The link that the post shows as an article. */
  readonly link?: string | undefined;
  readonly poll?: Pick<Poll, 'question' | 'options'> | undefined;
  /** The URNs of a reshare's parent and of the first post of the series; absent for other posts. */
  readonly reshared?: readonly string[] | undefined;
}

type Poll = NonNullable<LinkedinOptions['poll']>;

/**
 * Compares a read post with the job's. Media are recognized by their URNs, which come from the job's own uploads. Any
 * other post must have the same text; a poll also the same question and options; a reshare the same parent; a link with
 * a text, no other page of its site; a link without a text, the same address.
 *
 * @param assets the URNs of the job's media
 */
export function likenessOf(post: ReadPost, job: Content, assets: readonly string[]): Likeness {
  if (assets.some((urn) => post.assets.includes(urn))) return 'media';
  const { poll, reshare, link = job.card?.url } = readOptions(LinkedinOptions, job.options);
  const text = fromLittleText(toLittleText(job.content));
  if (!isSameText(fromLittleText(post.commentary ?? ''), text)) return undefined;
  if (!isSamePoll(post.poll, poll) || !isReshareOf(post.reshared, reshare)) return undefined;
  if (link === undefined || post.link === undefined) {
    const isPlain = post.link === link && assets.length + post.assets.length === 0;
    return isPlain ? 'text' : undefined;
  }
  const isSameLink = comparableText(text) === '' ? post.link === link : !isOtherPage(post.link, link);
  return isSameLink ? 'text' : undefined;
}

function isSamePoll(shown: ReadPost['poll'], sent: Poll | undefined): boolean {
  if (shown === undefined || sent === undefined) return shown === sent;
  const [texts, wanted] = [shown, sent].map(({ question, options }) =>
    [question, ...options].map(comparableText),
  );
  return JSON.stringify(texts) === JSON.stringify(wanted);
}

/** Returns true if the post reshares the parent. Compares only the numbers: LinkedIn may name a post as a share or a ugcPost. */
function isReshareOf(reshared: ReadPost['reshared'], parent: string | undefined): boolean {
  if (reshared === undefined || parent === undefined) return reshared === parent;
  const numberOf = (urn: string) => urn.split(':').at(-1);
  return reshared.some((urn) => numberOf(urn) === numberOf(parent));
}

/**
 * Returns the time at which a post was created, in epoch milliseconds, from the upper bits of its URN's number.
 * LinkedIn does not document them. In a recorded response of its API the two times are 0.2 s apart. So this time may
 * only confirm a refusal, never a success.
 */
export function urnCreatedMs(urn: string): number {
  return Number(BigInt(urn.split(':').at(-1) ?? '') >> 22n);
}

export function livePostOf({ id, createdMs }: ReadPost): LivePost {
  return { platformPostId: id, permalink: permalinkOf(id), publishedMs: createdMs };
}

export function permalinkOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`;
}
