import * as z from 'zod';
import { secondMs } from '../../../lib/kernel/clock.ts';
import { callLinkedin, linkedinClient } from '../../../lib/platforms/linkedin/client.ts';
import { duplicateOf, requireSuccess } from '../../../lib/platforms/linkedin/errors.ts';
import { isOrganization, urnCreatedMs } from '../../../lib/platforms/linkedin/map.ts';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import type {
  Bench,
  Observation,
  PlatformVerification,
  VerifiedLivePost,
  VerifiedSubject,
} from '../verification.ts';
import {
  checkText,
  describeRefusal,
  findAgain,
  listPatienceSeconds,
  outcomeOf,
  publishAgain,
  publishing,
  request,
  step,
} from './shared.ts';

const api = 'https://api.linkedin.com/rest';
const userinfo = 'https://api.linkedin.com/v2/userinfo';
const organizationsOnly = (subject: VerifiedSubject) =>
  isOrganization(subject) ? undefined : 'it is for organizations, and the account is a member';
const membersOnly = (subject: VerifiedSubject) =>
  isOrganization(subject) ? 'it is for members, and the account is an organization' : undefined;
/** Returns the smallest audience that LinkedIn offers: an organization's posts cannot be limited to connections. */
const audience = (subject: VerifiedSubject) =>
  isOrganization(subject) ? 'everyone' : "the member's connections";
const visibleToFewest = (subject: VerifiedSubject) => ({
  visibility: isOrganization(subject) ? 'PUBLIC' : 'CONNECTIONS',
});

/**
 * The claims that only a real account can settle. Run them for a member and for an organization: some are about one of
 * them only.
 */
export const linkedinVerification: PlatformVerification = {
  steps: [
    step({
      title: 'Read the member.',
      audience: () => 'nobody',
      unfit: membersOnly,
      requests: [request('GET', userinfo, 1)],
      claims: [
        {
          id: 'linkedin-own-member',
          text: 'The token of a member reads the member, with the id that was stored when the account was connected.',
          expected: 'The member’s URN',
          source:
            'https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2',
          async check({ account, accessToken: bearer, tools }) {
            const answer = await tools.http.send({ method: 'GET', url: userinfo, bearer });
            const { sub } = readResponse(Member, requireSuccess(answer, tools.now()));
            const urn = `urn:li:person:${sub}`;
            return { isTrue: urn === account.platformAccountId, seen: urn };
          },
        },
      ],
    }),
    step({
      title: 'Read the organization.',
      audience: () => 'nobody',
      unfit: organizationsOnly,
      requests: [request('GET', `${api}/organizations/{organization}`, 1)],
      claims: [
        {
          id: 'linkedin-own-organization',
          text: 'The token of an organization’s administrator reads the organization.',
          expected: 'The organization’s id',
          source:
            'https://learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-lookup-api',
          async check({ account, accessToken: bearer, tools }) {
            const number = account.platformAccountId.split(':').at(-1) ?? '';
            const path = `organizations/${encodeURIComponent(number)}`;
            const { id } = readResponse(
              Organization,
              await callLinkedin(tools, { method: 'GET', path, bearer }),
            );
            return { isTrue: id === number, seen: `the id is ${id}` };
          },
        },
      ],
    }),
    step({
      title:
        'Publish a text with a URL, and the same text again. If LinkedIn allows that, there are two posts.',
      audience,
      requests: [request('POST', `${api}/posts`, 2)],
      act: (bench) =>
        bench.publish({
          content: `${checkText(bench)} https://example.com/${bench.mark}`,
          media: [],
          options: visibleToFewest(bench),
        }),
      claims: [
        {
          id: 'linkedin-same-text-refused',
          text: 'The same text from the same author within ten minutes is refused with 422, and the message names the URN of the first post.',
          expected: 'The URN of the first post',
          source: 'Documented for the older API only; others have seen URNs of posts that do not exist',
          check: refusedWithUrn,
        },
        {
          id: 'linkedin-urn-has-time',
          text: 'The upper bits of a post’s URN are the time at which it was created.',
          expected: 'A time within 30 seconds of the call',
          source: 'Not documented; one recorded response',
          check(_bench, { post, call }) {
            const createdMs = urnCreatedMs(post.platformPostId ?? '');
            const offSeconds = Math.round((createdMs - call.endedMs) / secondMs);
            return { isTrue: Math.abs(offSeconds) <= 30, seen: `${offSeconds} seconds from the call` };
          },
        },
      ],
    }),
    step({
      title: 'Publish a text, and try to read it.',
      audience,
      unfit: membersOnly,
      requests: [request('POST', `${api}/posts`, 1), request('GET', `${api}/posts/{post}`, 1)],
      act: (bench) => publishing('this second post', undefined, visibleToFewest(bench))(bench),
      claims: [
        {
          id: 'linkedin-member-post-unreadable',
          text: 'No app can read a member’s post, not even the one that made it.',
          expected: 'A refusal with 403',
          source:
            'https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api: r_member_social is closed',
          async check(bench, { post }) {
            const client = linkedinClient(bench, bench.tools);
            const { refusal } = await outcomeOf(() => client.readPost(post.platformPostId ?? ''));
            return {
              isTrue: refusal?.status === 403,
              seen: describeRefusal(refusal, 'the post was read'),
            };
          },
        },
      ],
    }),
    step({
      title: 'Publish a text with a URL for the organization, and read it back.',
      audience,
      unfit: organizationsOnly,
      requests: [
        request('POST', `${api}/posts`, 1),
        request('GET', `${api}/posts`, 200),
        request('GET', `${api}/posts/{post}`, 20),
      ],
      act: (bench) =>
        bench.publish({
          content: `${checkText(bench, "the organization's post")} https://example.com/reading/${bench.mark}`,
          media: [],
          options: {},
        }),
      claims: [
        {
          id: 'linkedin-organization-post-listed',
          text: `The organization’s list of posts shows a new post within ${listPatienceSeconds} seconds.`,
          expected: 'A lookup finds the post',
          source: 'Our judgement: no lag is documented',
          check: (bench, live) => findAgain(bench, live),
        },
        {
          id: 'linkedin-urls-shortened',
          text: 'A URL in a text is read back as an address of lnkd.in.',
          expected: 'An address of lnkd.in in `commentary`',
          source: 'https://github.com/activepieces/activepieces/issues/3703',
          async check(bench, { post: { platformPostId } }) {
            const client = linkedinClient(bench, bench.tools);
            const { value } = await bench.poll(60, async () => {
              const { value: post, refusal } = await outcomeOf(() => client.readPost(platformPostId ?? ''));
              if (refusal && refusal.status !== 404) throw refusal;
              return post;
            });
            const { commentary = '' } = value ?? {};
            return { isTrue: /https:\/\/lnkd\.in\//.test(commentary), seen: commentary || 'no text' };
          },
        },
      ],
    }),
    step({
      title: 'Publish the image, and the same image again. If LinkedIn allows that, there are two posts.',
      needs: 'image',
      audience,
      requests: [
        request('POST', `${api}/images`, 1),
        request('PUT', 'https://{host}.linkedin.com/**', 1),
        request('GET', `${api}/images/{image}`, 100),
        request('POST', `${api}/posts`, 2),
      ],
      act: (bench) => publishing('this image', 'image', visibleToFewest(bench))(bench),
      claims: [
        {
          id: 'linkedin-same-image-refused',
          text: 'The same text and image from the same author within ten minutes is refused with 422, and the message names the URN of the first post.',
          expected: 'The URN of the first post',
          source: 'Not documented for images',
          check: refusedWithUrn,
        },
      ],
    }),
  ],

  byHand: [
    {
      id: 'linkedin-audience-of-places',
      text: 'The post of an organization with `geoLocations` is shown only to members in these places.',
      expected: 'No member in another place sees the post',
      source:
        'https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api: `targetEntities` of organic posts',
      byHand: 'It takes a member in another country to see, and 300 followers.',
    },
    {
      id: 'linkedin-card-of-link',
      text: 'A text with `content.article` is shown with the card: title, description and picture.',
      expected: 'The post shows all three, and the text above them',
      source:
        'https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api: `article`',
      byHand: 'The API shows what was sent, not what people see.',
    },
    {
      id: 'linkedin-cover-of-video',
      text: 'The picture that is sent to `thumbnailUploadUrl` is the cover of the video.',
      expected: 'The video shows the picture before it plays',
      source:
        'https://learn.microsoft.com/linkedin/marketing/community-management/shares/videos-api: `uploadThumbnail`',
      byHand: 'The API does not return the picture that people see.',
    },
    {
      id: 'linkedin-other-id-per-app',
      text: 'A member has another id in the app of organizations than in the app of members.',
      expected: 'Two different URNs',
      source:
        'https://learn.microsoft.com/linkedin/shared/references/v2/profile: "unique to your specific developer application"',
      byHand: 'It takes a login at each app.',
    },
  ],

  removal: {
    // https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api#delete-posts
    requests: [request('DELETE', `${api}/posts/{post}`, 3)],
    async remove({ id }, { tools, accessToken: bearer }) {
      const path = `posts/${encodeURIComponent(id)}`;
      await callLinkedin(tools, { method: 'DELETE', path, bearer, headers: { 'x-restli-method': 'DELETE' } });
    },
    byHand: 'Delete the post on LinkedIn.',
  },
};

const Member = z.object({ sub: z.string() });
const Organization = z.object({ id: z.coerce.string() });

/** Publishes a post a second time. Confirms a claim if the refusal names the first one. */
async function refusedWithUrn(bench: Bench, live: VerifiedLivePost): Promise<Observation> {
  const again = await publishAgain(bench, live);
  const urn = duplicateOf(again);
  const isTrue = urn !== undefined && urn === live.post.platformPostId;
  const other = urn === undefined || isTrue ? '' : `, which names ${urn}`;
  return { isTrue, seen: `${describeRefusal(again, 'it was published a second time')}${other}` };
}
