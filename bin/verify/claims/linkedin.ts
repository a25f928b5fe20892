import * as z from 'zod';
import { secondMs } from '../../../lib/kernel/clock.ts';
import { callLinkedin, linkedinClient } from '../../../lib/platforms/linkedin/client.ts';
import { duplicateOf, requireSuccess } from '../../../lib/platforms/linkedin/errors.ts';
import { isOrganization, urnCreatedMs } from '../../../lib/platforms/linkedin/map.ts';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import type { Bench, PlatformVerification, VerifiedLivePost, VerifiedSubject } from '../verification.ts';
import {
  checkText,
  describeRefusal,
  listPatienceSeconds,
  outcomeOf,
  request,
  settleFound,
} from './shared.ts';

const api = 'https://api.linkedin.com/rest';
const organizationsOnly = (subject: VerifiedSubject) =>
  isOrganization(subject) ? undefined : 'it is for organizations, and the account is a member';
const membersOnly = (subject: VerifiedSubject) =>
  isOrganization(subject) ? 'it is for members, and the account is an organization' : undefined;
/** Returns the smallest audience that LinkedIn offers: an organization's posts cannot be limited to connections. */
const audience = (subject: VerifiedSubject) =>
  isOrganization(subject) ? 'everyone' : "the member's connections";
const visibilityOf = (subject: VerifiedSubject) => (isOrganization(subject) ? 'PUBLIC' : 'CONNECTIONS');

/**
 * The claims that only a real account can settle. Run them for a member and for an organization: some are about one of
 * them only.
 */
export const linkedinVerification: PlatformVerification = {
  claims: [
    {
      id: 'linkedin-own-member',
      text: 'The token of a member reads the member, with the id that was stored when the account was connected.',
      expected: 'The member’s URN',
      source:
        'https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2',
    },
    {
      id: 'linkedin-own-organization',
      text: 'The token of an organization’s administrator reads the organization.',
      expected: 'The organization’s id',
      source:
        'https://learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-lookup-api',
    },
    {
      id: 'linkedin-same-text-refused',
      text: 'The same text from the same author within ten minutes is refused with 422, and the message names the URN of the first post.',
      expected: 'The URN of the first post',
      source: 'Documented for the older API only; others have seen URNs of posts that do not exist',
    },
    {
      id: 'linkedin-same-image-refused',
      text: 'The same text and image from the same author within ten minutes is refused with 422, and the message names the URN of the first post.',
      expected: 'The URN of the first post',
      source: 'Not documented for images',
    },
    {
      id: 'linkedin-urn-has-time',
      text: 'The upper bits of a post’s URN are the time at which it was created.',
      expected: 'A time within 30 seconds of the call',
      source: 'Not documented; one recorded response',
    },
    {
      id: 'linkedin-member-post-unreadable',
      text: 'No app can read a member’s post, not even the one that made it.',
      expected: 'A refusal with 403',
      source:
        'https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api: r_member_social is closed',
    },
    {
      id: 'linkedin-organization-post-listed',
      text: `The organization’s list of posts shows a new post within ${listPatienceSeconds} seconds.`,
      expected: 'A lookup finds the post',
      source: 'Our judgement: no lag is documented',
    },
    {
      id: 'linkedin-urls-shortened',
      text: 'A URL in a text is read back as an address of lnkd.in.',
      expected: 'An address of lnkd.in in `commentary`',
      source: 'https://github.com/activepieces/activepieces/issues/3703',
    },
  ],

  steps: [
    {
      title: 'Read the member.',
      audience: () => 'nobody',
      claims: ['linkedin-own-member'],
      unfit: membersOnly,
      requests: [request('GET', 'https://api.linkedin.com/v2/userinfo', 1)],
      async run({ account, accessToken: bearer, tools, settle }) {
        const url = 'https://api.linkedin.com/v2/userinfo';
        const response = requireSuccess(await tools.http.send({ method: 'GET', url, bearer }), tools.now());
        const urn = `urn:li:person:${readResponse(z.object({ sub: z.string() }), response).sub}`;
        settle('linkedin-own-member', urn === account.platformAccountId, urn);
      },
    },
    {
      title: 'Read the organization.',
      audience: () => 'nobody',
      claims: ['linkedin-own-organization'],
      unfit: organizationsOnly,
      requests: [request('GET', `${api}/organizations/{organization}`, 1)],
      async run({ account, accessToken: bearer, tools, settle }) {
        const number = account.platformAccountId.split(':').at(-1) ?? '';
        const path = `organizations/${encodeURIComponent(number)}`;
        const response = await callLinkedin(tools, { method: 'GET', path, bearer });
        const { id } = readResponse(z.object({ id: z.coerce.string() }), response);
        settle('linkedin-own-organization', id === number, `the id is ${id}`);
      },
    },
    {
      title:
        'Publish a text with a URL, and the same text again. If LinkedIn allows that, there are two posts.',
      audience,
      claims: ['linkedin-same-text-refused', 'linkedin-urn-has-time'],
      requests: [request('POST', `${api}/posts`, 2)],
      async run(bench) {
        const live = await bench.publish({
          content: `${checkText(bench)} https://example.com/${bench.mark}`,
          media: [],
          options: { visibility: visibilityOf(bench) },
        });
        await checkDuplicate(bench, 'linkedin-same-text-refused', live);
        const createdMs = urnCreatedMs(live.post.platformPostId ?? '');
        const offSeconds = Math.round((createdMs - live.call.endedMs) / secondMs);
        bench.settle(
          'linkedin-urn-has-time',
          Math.abs(offSeconds) <= 30,
          `${offSeconds} seconds from the call`,
        );
      },
    },
    {
      title: 'Publish a text, and try to read it.',
      audience,
      claims: ['linkedin-member-post-unreadable'],
      unfit: membersOnly,
      requests: [request('POST', `${api}/posts`, 1), request('GET', `${api}/posts/{post}`, 1)],
      async run(bench) {
        const live = await bench.publish({
          content: checkText(bench, 'this second post'),
          media: [],
          options: { visibility: visibilityOf(bench) },
        });
        const client = linkedinClient(bench, bench.tools);
        const { refusal } = await outcomeOf(() => client.readPost(live.post.platformPostId ?? ''));
        bench.settle(
          'linkedin-member-post-unreadable',
          refusal?.status === 403,
          describeRefusal(refusal, 'the post was read'),
        );
      },
    },
    {
      title: 'Publish a text with a URL for the organization, and read it back.',
      audience,
      claims: ['linkedin-organization-post-listed', 'linkedin-urls-shortened'],
      unfit: organizationsOnly,
      requests: [
        request('POST', `${api}/posts`, 1),
        request('GET', `${api}/posts`, 200),
        request('GET', `${api}/posts/{post}`, 20),
      ],
      run: checkReading,
    },
    {
      title: 'Publish the image, and the same image again. If LinkedIn allows that, there are two posts.',
      needs: ['image'],
      audience,
      claims: ['linkedin-same-image-refused'],
      requests: [
        request('POST', `${api}/images`, 1),
        request('PUT', 'https://{host}.linkedin.com/**', 1),
        request('GET', `${api}/images/{image}`, 100),
        request('POST', `${api}/posts`, 2),
      ],
      async run(bench) {
        const live = await bench.publish({
          content: checkText(bench, 'this image'),
          media: [bench.file('image').source],
          options: { visibility: visibilityOf(bench) },
        });
        await checkDuplicate(bench, 'linkedin-same-image-refused', live);
      },
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

async function checkDuplicate(bench: Bench, claim: string, live: VerifiedLivePost): Promise<void> {
  const again = await bench.again(live, async () => {
    const { platformPostId } = await bench.adapter.goLive(live.job, bench.tools);
    return platformPostId;
  });
  const urn = duplicateOf(again);
  const isNamed = urn !== undefined && urn === live.post.platformPostId;
  const seen = urn === undefined || isNamed ? '' : `, which names ${urn}`;
  bench.settle(claim, isNamed, `${describeRefusal(again, 'it was published a second time')}${seen}`);
}

async function checkReading(bench: Bench): Promise<void> {
  const live = await bench.publish({
    content: `${checkText(bench, "the organization's post")} https://example.com/reading/${bench.mark}`,
    media: [],
    options: {},
  });
  await settleFound(bench, 'linkedin-organization-post-listed', live);
  const client = linkedinClient(bench, bench.tools);
  const { value } = await bench.poll(60, async () => {
    const { value: post, refusal } = await outcomeOf(() => client.readPost(live.post.platformPostId ?? ''));
    if (refusal && refusal.status !== 404) throw refusal;
    return post;
  });
  const { commentary = '' } = value ?? {};
  bench.settle('linkedin-urls-shortened', /https:\/\/lnkd\.in\//.test(commentary), commentary || 'no text');
}
