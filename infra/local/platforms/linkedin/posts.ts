import { createHash } from 'node:crypto';
import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { statusOf } from './assets.ts';
import { refuse } from './errors.ts';
import type { Gate } from './gate.ts';
import { mediaUrns, type PostRequest, readPostRequest } from './post-request.ts';
import { requireScopes } from './reading.ts';
import { mayPublishAs, nextPostId, type Post, type State } from './state.ts';

/** Returns the address of LinkedIn's own shortener for a URL. The same URL always has the same one. */
function shortUrl(url: string): string {
  return `https://lnkd.in/${createHash('sha256').update(url).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 8)}`;
}

/** Creates posts, finds them by author, and reads one by its URN. */
export function postOperations({ ledger, reads, setting }: Workbench, state: State, gate: Gate): Operation[] {
  const { posts, assets } = state;

  function create(call: Call): Answer {
    const caller = gate.checkCall(call);
    const request = readPostRequest(call.fields);
    const { author, content, text } = request;
    gate.requireAuthor(caller, author);
    const shown = mediaUrns(request).map((urn) => readyMedia(urn, request, call.at));
    const media = shown.map((asset) => asset.media);
    const thumbnail = content?.article?.thumbnail;
    const cover = thumbnail === undefined ? shown[0]?.cover : readyMedia(thumbnail, request, call.at).media;
    const reshareContext = reshareOf(request);
    const contentDigest = createHash('sha256')
      .update(JSON.stringify([text.text, content ?? reshareContext?.parent ?? null]))
      .digest('hex');
    refuseDuplicate(author, contentDigest, call.at);

    const isUgcPost = media[0]?.type.startsWith('video/') === true || content?.poll !== undefined;
    const urn = `urn:li:${isUgcPost ? 'ugcPost' : 'share'}:${nextPostId(ledger, call.at)}`;
    const { visibility, isReshareDisabledByAuthor, commentary, distribution } = request;
    const { targetEntities } = distribution;
    const post: Post = {
      urn,
      author,
      commentary: text.readBack,
      visibility,
      content: content ?? null,
      ...(reshareContext && { reshareContext }),
      isReshareDisabledByAuthor,
      publishedAt: call.at,
      likeness: contentDigest,
    };
    ledger.transaction(() => {
      posts.put(urn, post);
      ledger.posts.put(urn, {
        id: urn,
        accountId: author,
        permalink: `https://www.linkedin.com/feed/update/${urn}/`,
        content: text.text,
        media,
        ...(cover && { cover }),
        details: {
          visibility,
          isReshareDisabledByAuthor,
          commentary,
          content,
          ...(reshareContext && { reshareContext }),
          ...(targetEntities.length > 0 && { targetEntities }),
          isCut: text.isCut,
        },
        publishedAt: call.at,
      });
    });
    return { status: 201, headers: { 'x-restli-id': urn } };
  }

  /** Returns the reshared post. Assumes that a post which is not in this simulator exists and is public. */
  function reshareOf({ reshareContext }: PostRequest): Post['reshareContext'] {
    if (reshareContext === undefined) return undefined;
    const { parent } = reshareContext;
    const known = posts.get(parent);
    if (known?.isReshareDisabledByAuthor === true)
      refuse('ACCESS_DENIED', 'The author has disabled reshares of this post');
    return { parent, root: known?.reshareContext?.root ?? parent };
  }

  function readyMedia(
    urn: string,
    { author, content }: PostRequest,
    at: number,
  ): { readonly media: LiveMedia; readonly cover?: LiveMedia | undefined } {
    const [, kind] = /^urn:li:(image|video|document):/.exec(urn) ?? [];
    const takesAny = content?.media !== undefined;
    if (kind === undefined || (!takesAny && kind !== 'image'))
      refuse('INVALID_URN_TYPE', `${urn} is not allowed here`);
    const asset = assets.get(urn.split(':').at(-1) ?? '');
    if (asset?.urn !== urn || asset.owner !== author)
      refuse('INVALID_URN_ID', `${urn} is not media of ${author}`);
    if (kind === 'document' && !content?.media?.title)
      refuse('MISSING_FIELD', '/content/media/title :: field is required');
    const status = statusOf(asset, at);
    if (status === 'PROCESSING_FAILED') refuse('MEDIA_ASSET_PROCESSING_FAILED');
    if (status !== 'AVAILABLE' || asset.media === undefined) refuse('MEDIA_ASSET_WAITING_UPLOAD');
    return { media: asset.media, cover: asset.cover };
  }

  /** Refuses the same text and media from the same author within `duplicateWindowSeconds`. */
  function refuseDuplicate(author: string, contentDigest: string, at: number): void {
    if (setting('duplicateCheck') !== true) return;
    const since = at - Number(setting('duplicateWindowSeconds')) * 1000;
    const earlier = posts.list({ owner: author, since }).find((post) => post.likeness === contentDigest);
    if (earlier === undefined) return;
    // Users have reported refusals that name new posts, which then answer 404.
    const urn =
      setting('namesMissingDuplicates') === true ? `urn:li:share:${nextPostId(ledger, at)}` : earlier.urn;
    refuse('DUPLICATE_POST', `Content is a duplicate of ${urn}`);
  }

  function find(call: Call): Answer {
    const { token, member } = gate.checkCall(call);
    const { query, headers } = call;
    if (query.get('q') !== 'author' || headers['x-restli-method'] !== 'FINDER') {
      refuse('ILLEGAL_ARGUMENT', 'A finder needs q=author and X-RestLi-Method: FINDER');
    }
    const author = query.get('author') ?? '';
    requireScopes(token.scopes, ['r_organization_social']);
    // LinkedIn no longer lets an app read the posts of a person, only those of an organization.
    if (!mayPublishAs(state, member.username, author))
      refuse('ACCESS_DENIED', 'Not enough permissions to access: FINDER author');
    const start = Number(query.get('start') ?? 0);
    const count = Math.min(Number(query.get('count') ?? 10), 100);
    return reads.ofList(call, ({ at }) => {
      const all = [...othersOf(author), ...posts.list({ owner: author, newestFirst: true })];
      const shown = all
        .slice(start, start + count)
        .map((post) => body({ ...post, commentary: changed(post) }, at));
      return json({ elements: shown, paging: { start, count, total: all.length, links: [] } });
    });
  }

  const othersOf = (author: string): Post[] =>
    reads.others((number, publishedAt) => ({
      urn: `urn:li:share:${(BigInt(publishedAt) << 22n) + 4_000_001n - BigInt(number)}`,
      author,
      commentary: `Other post ${number}`,
      visibility: 'PUBLIC',
      content: null,
      publishedAt,
      likeness: '',
    }));

  /** Returns a post's changed text: LinkedIn shortens links, and returns a hashtag as a template. */
  function changed({ commentary }: Post): string {
    const shown =
      setting('shortensUrls') === true ? commentary.replaceAll(/https?:\/\/\S+/g, shortUrl) : commentary;
    const text = reads.text(shown, 'https://lnkd.in/');
    if (setting('changesTexts') !== true) return text;
    return text.replaceAll(/(?<![\w\\|])\\?#(\w+)/g, '{hashtag|\\#|$1}');
  }

  function get(call: Call): Answer {
    const { token, member } = gate.checkCall(call);
    requireScopes(token.scopes, ['r_organization_social']);
    return reads.ofState(call, ({ params, at }) => {
      const post = posts.get(params['urn'] ?? '');
      if (post === undefined) refuse('NOT_FOUND');
      if (!mayPublishAs(state, member.username, post.author)) refuse('ACCESS_DENIED');
      return json(body({ ...post, commentary: changed(post) }, at));
    });
  }

  /** Returns the body of a post. An accepted post is visible only after `visibilityDelaySeconds`. */
  function body(post: Post, at: number) {
    const { urn, author, commentary, visibility, content, reshareContext, publishedAt } = post;
    const visibleAt = publishedAt + Number(setting('visibilityDelaySeconds')) * 1000;
    const settled = setting('publishingFails') === true ? 'PUBLISH_FAILED' : 'PUBLISHED';
    return {
      id: urn,
      author,
      commentary,
      visibility,
      ...(content !== null && { content }),
      ...(reshareContext && { reshareContext }),
      lifecycleState: at < visibleAt ? 'PUBLISH_REQUESTED' : settled,
      publishedAt,
      createdAt: publishedAt,
      lastModifiedAt: publishedAt,
    };
  }

  /**
   * Deletes a post. Deleting it again gives the same answer.
   * https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api#delete-posts
   */
  function remove(call: Call): Answer {
    const caller = gate.checkCall(call);
    if (call.headers['x-restli-method'] !== 'DELETE') {
      refuse('ILLEGAL_ARGUMENT', 'A deletion needs X-RestLi-Method: DELETE');
    }
    const { urn = '' } = call.params;
    const post = posts.get(urn);
    if (post === undefined) return { status: 204 };
    gate.requireAuthor(caller, post.author);
    ledger.transaction(() => {
      posts.delete(urn);
      ledger.posts.delete(urn);
    });
    return { status: 204 };
  }

  return [
    operation('posts.create', 'POST', 'api.linkedin.com/rest/posts', create),
    operation('posts.finder', 'GET', 'api.linkedin.com/rest/posts', find),
    operation('posts.get', 'GET', 'api.linkedin.com/rest/posts/:urn', get),
    operation('posts.delete', 'DELETE', 'api.linkedin.com/rest/posts/:urn', remove),
  ];
}
