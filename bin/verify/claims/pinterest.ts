import { secondMs } from '../../../lib/kernel/clock.ts';
import { pinterestBoards } from '../../../lib/platforms/pinterest/boards.ts';
import { callPinterest, pinterestClient } from '../../../lib/platforms/pinterest/client.ts';
import { type ListedPin, pinCreatedMs } from '../../../lib/platforms/pinterest/map.ts';
import type { Bench, PlatformVerification, VerifiedLivePost } from '../verification.ts';
import { checkText, describeRefusal, findAgain, listPatienceSeconds, request, step } from './shared.ts';

const api = 'https://{host}.pinterest.com/{version}';

/** The things that the step has made so far. Each claim adds the subject of the next ones. */
interface Pins {
  readonly boardId: string;
  live?: VerifiedLivePost;
  first?: ListedPin;
  secondId?: string | null;
}

/** The claims that only a real account can settle. Everything is on one board, which is made for it and deleted with its Pins. */
export const pinterestVerification: PlatformVerification = {
  steps: [
    step({
      title:
        'Create a board; create the same Pin of the image on it twice, one after the other; and read both back.',
      needs: 'image',
      audience: ({ isSandbox }) => (isSandbox ? 'the account only' : 'everyone'),
      requests: [
        request('POST', `${api}/boards`, 1),
        request('GET', `${api}/boards`, 10),
        request('POST', `${api}/pins`, 2),
        request('GET', `${api}/boards/{board}/pins`, 200),
        request('GET', `${api}/pins`, 200),
      ],
      async act(bench): Promise<Pins> {
        const name = `Herald check ${bench.mark}`;
        const { id } = await pinterestBoards.createBoard(bench.accessToken, { name }, bench.tools);
        bench.made({ kind: 'board', id, title: `the board “${name}”`, where: 'the account’s boards' });
        return { boardId: id };
      },
      claims: [
        {
          id: 'pinterest-board-listed',
          text: 'A new board is listed at once.',
          expected: 'The board, in the first read of the list',
          source: 'https://developers.pinterest.com/docs/api/v5/boards-list/ names no lag',
          async check({ accessToken, tools }, { boardId }) {
            const boards = await pinterestBoards.listBoards(accessToken, tools);
            const isTrue = boards.some(({ id }) => id === boardId);
            return { isTrue, seen: isTrue ? 'listed' : `not among ${boards.length} boards` };
          },
        },
        {
          id: 'pinterest-pin-listed',
          text: `The board’s list shows a new Pin within ${listPatienceSeconds} seconds.`,
          expected: 'A lookup finds the Pin',
          source: 'https://developers.pinterest.com/docs/api/v5/boards-list_pins/: the list "may lag"',
          async check(bench, pins) {
            const { description, title, alt_text: altText, link } = textsOf(bench);
            pins.live = await bench.publish({
              content: description,
              media: [bench.file('image').source],
              options: { boardId: pins.boardId, title, altText, link },
            });
            return findAgain(bench, pins.live);
          },
        },
        {
          id: 'pinterest-texts-read-back',
          text: 'Title, description, alternative text and link of a Pin are read back as they were sent.',
          expected: 'The same four texts',
          source: 'https://developers.pinterest.com/docs/api/v5/pins-get/ does not promise it',
          async check(bench, pins) {
            const { value: first } = await bench.poll(listPatienceSeconds, async () =>
              (await pinsOf(bench, pins.boardId)).find(({ id }) => id === pins.live?.post.platformPostId),
            );
            if (first === undefined) return undefined;
            pins.first = first;
            const changed = Object.entries(textsOf(bench)).flatMap(([field, sent]) => {
              const shown = first[field as keyof Texts];
              return shown === sent ? [] : [`${field} is ${JSON.stringify(shown ?? null)}`];
            });
            return { isTrue: changed.length === 0, seen: changed.join('; ') || 'all four are the same' };
          },
        },
        {
          id: 'pinterest-time-is-utc',
          text: '`created_at` of a Pin, which has no time zone, is in UTC.',
          expected: 'A time within a minute of the call',
          source: 'Examples of the documentation have no time zone',
          check(_bench, { live, first }) {
            if (live === undefined || first === undefined) return undefined;
            const offSeconds = Math.round((pinCreatedMs(first) - live.call.endedMs) / secondMs);
            return {
              isTrue: Math.abs(offSeconds) <= 60,
              seen: `${first.created_at}, ${offSeconds} seconds from the call`,
            };
          },
        },
        {
          id: 'pinterest-second-call-makes-second-pin',
          text: 'The same call that creates a Pin, sent twice, creates two Pins.',
          expected: 'Two different ids',
          source: 'No refusal of duplicates is documented',
          async check(bench, pins) {
            const { live, first } = pins;
            if (live === undefined || first === undefined) return undefined;
            const refusal = await bench.again(live, async () => {
              pins.secondId = (await bench.adapter.goLive(live.job, bench.tools)).platformPostId;
              return pins.secondId;
            });
            const isSame = pins.secondId === first.id;
            return {
              isTrue: typeof pins.secondId === 'string' && !isSame,
              seen: describeRefusal(refusal, `a Pin with ${isSame ? 'the same' : 'another'} id`),
            };
          },
        },
        {
          id: 'pinterest-board-order',
          text: 'A board’s list shows the newest Pin first.',
          expected: 'The second Pin before the first',
          source: 'Others have seen it; the documentation names no order',
          async check(bench, { boardId, first, secondId }) {
            if (first === undefined) return undefined;
            if (typeof secondId !== 'string') return { open: 'there is no second Pin' };
            const { value: ids } = await bench.poll(listPatienceSeconds, async () => {
              const listed = (await pinsOf(bench, boardId)).map(({ id }) => id);
              return listed.includes(secondId) && listed.includes(first.id) ? listed : undefined;
            });
            if (ids === undefined) return { open: 'the list does not show both Pins' };
            const isTrue = ids.indexOf(secondId) < ids.indexOf(first.id);
            return { isTrue, seen: isTrue ? 'the newest first' : 'the oldest first' };
          },
        },
      ],
    }),
  ],

  byHand: [
    {
      id: 'pinterest-ai-disclosed',
      text: 'A Pin that is created with `ai_disclosures` shows them.',
      expected: 'A label on the Pin',
      source: 'SDKs of August 2026, generated from a newer description than the last public one',
      byHand: 'The API may accept a field that it does not know. Look at a Pin in the app.',
    },
    {
      id: 'pinterest-secret-board',
      text: 'A token with the four scopes of secret boards lists a secret board, and creates a Pin on it.',
      expected: 'The board in the list, and a Pin that only the account sees',
      source:
        'https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ describes the scopes; the OpenAPI description names them for searches only',
      byHand:
        'Make a secret board on Pinterest, name `secretBoards` in the setting `features`, and connect again.',
    },
  ],

  removal: {
    // https://developers.pinterest.com/docs/api/v5/pins-delete/ and boards-delete
    requests: [request('DELETE', `${api}/pins/{pin}`, 3), request('DELETE', `${api}/boards/{board}`, 3)],
    async remove({ kind, id }, { tools, accessToken: bearer }) {
      const path = `${kind === 'board' ? 'boards' : 'pins'}/${encodeURIComponent(id)}`;
      await callPinterest(tools, { method: 'DELETE', path, bearer });
    },
    byHand: 'Delete the board in Pinterest, which deletes its Pins.',
  },
};

type Texts = ReturnType<typeof textsOf>;

/** The texts of the Pins, with characters that a platform may change. */
function textsOf(bench: Bench) {
  const { mark } = bench;
  return {
    title: `Herald check ${mark}: “quotes”, 100 % & more`,
    description: `${checkText(bench, 'this Pin')}\n\nTwo  spaces, and a café.`,
    alt_text: `A picture for the check ${mark}`,
    link: `https://example.com/${mark}?from=herald&check=1`,
  };
}

async function pinsOf({ accessToken, tools }: Bench, boardId: string): Promise<readonly ListedPin[]> {
  for await (const pins of pinterestClient({ accessToken }, tools).listBoardPins(boardId)) return pins;
  return [];
}
