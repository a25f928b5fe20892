import { secondMs } from '../../../lib/kernel/clock.ts';
import { pinterestBoards } from '../../../lib/platforms/pinterest/boards.ts';
import { callPinterest, pinterestClient } from '../../../lib/platforms/pinterest/client.ts';
import { type ListedPin, pinCreatedMs } from '../../../lib/platforms/pinterest/map.ts';
import type { Bench, PlatformVerification, VerifiedLivePost } from '../verification.ts';
import { checkText, describeRefusal, listPatienceSeconds, request, settleFound } from './shared.ts';

const api = 'https://{host}.pinterest.com/{version}';

/** The claims that only a real account can settle. Everything is on one board, which is made for it and deleted with its Pins. */
export const pinterestVerification: PlatformVerification = {
  claims: [
    {
      id: 'pinterest-board-listed',
      text: 'A new board is listed at once.',
      expected: 'The board, in the first read of the list',
      source: 'https://developers.pinterest.com/docs/api/v5/boards-list/ names no lag',
    },
    {
      id: 'pinterest-texts-read-back',
      text: 'Title, description, alternative text and link of a Pin are read back as they were sent.',
      expected: 'The same four texts',
      source: 'https://developers.pinterest.com/docs/api/v5/pins-get/ does not promise it',
    },
    {
      id: 'pinterest-time-is-utc',
      text: '`created_at` of a Pin, which has no time zone, is in UTC.',
      expected: 'A time within a minute of the call',
      source: 'Examples of the documentation have no time zone',
    },
    {
      id: 'pinterest-pin-listed',
      text: `The board’s list shows a new Pin within ${listPatienceSeconds} seconds.`,
      expected: 'A lookup finds the Pin',
      source: 'https://developers.pinterest.com/docs/api/v5/boards-list_pins/: the list "may lag"',
    },
    {
      id: 'pinterest-board-order',
      text: 'A board’s list shows the newest Pin first.',
      expected: 'The second Pin before the first',
      source: 'Others have seen it; the documentation names no order',
    },
    {
      id: 'pinterest-second-call-makes-second-pin',
      text: 'The same call that creates a Pin, sent twice, creates two Pins.',
      expected: 'Two different ids',
      source: 'No refusal of duplicates is documented',
    },
  ],

  steps: [
    {
      title:
        'Create a board; create the same Pin of the image on it twice, one after the other; and read both back.',
      needs: ['image'],
      audience: ({ isSandbox }) => (isSandbox ? 'the account only' : 'everyone'),
      claims: [
        'pinterest-board-listed',
        'pinterest-texts-read-back',
        'pinterest-time-is-utc',
        'pinterest-pin-listed',
        'pinterest-second-call-makes-second-pin',
        'pinterest-board-order',
      ],
      requests: [
        request('POST', `${api}/boards`, 1),
        request('GET', `${api}/boards`, 10),
        request('POST', `${api}/pins`, 2),
        request('GET', `${api}/boards/{board}/pins`, 200),
        request('GET', `${api}/pins`, 200),
      ],
      run: checkPins,
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

async function checkPins(bench: Bench): Promise<void> {
  const { settle, accessToken, tools, mark } = bench;
  const name = `Herald check ${mark}`;
  const board = await pinterestBoards.createBoard(accessToken, { name }, tools);
  bench.made({ kind: 'board', id: board.id, title: `the board “${name}”`, where: 'the account’s boards' });
  const boards = await pinterestBoards.listBoards(accessToken, tools);
  const isListed = boards.some(({ id }) => id === board.id);
  settle('pinterest-board-listed', isListed, isListed ? 'listed' : `not among ${boards.length} boards`);

  const sent = {
    title: `Herald check ${mark}: “quotes”, 100 % & more`,
    description: `${checkText(bench, 'this Pin')}\n\nTwo  spaces, and a café.`,
    alt_text: `A picture for the check ${mark}`,
    link: `https://example.com/${mark}?from=herald&check=1`,
  };
  const live = await bench.publish({
    content: sent.description,
    media: [bench.file('image').source],
    options: { boardId: board.id, title: sent.title, altText: sent.alt_text, link: sent.link },
  });
  await settleFound(bench, 'pinterest-pin-listed', live);
  const first = await findPin(bench, board.id, live.post.platformPostId);
  if (first === undefined) return;
  const changed = (Object.keys(sent) as (keyof typeof sent)[]).filter(
    (field) => first[field] !== sent[field],
  );
  settle(
    'pinterest-texts-read-back',
    changed.length === 0,
    changed.length === 0
      ? 'all four are the same'
      : changed.map((field) => `${field} is ${JSON.stringify(first[field] ?? null)}`).join('; '),
  );
  const offSeconds = Math.round((pinCreatedMs(first) - live.call.endedMs) / secondMs);
  settle(
    'pinterest-time-is-utc',
    Math.abs(offSeconds) <= 60,
    `${first.created_at}, ${offSeconds} seconds from the call`,
  );
  await checkSecond(bench, board.id, live);
}

async function checkSecond(bench: Bench, boardId: string, live: VerifiedLivePost): Promise<void> {
  const { settle, tools } = bench;
  const { platformPostId: firstId } = live.post;
  let secondId: string | null = null;
  const refusal = await bench.again(live, async () => {
    secondId = (await bench.adapter.goLive(live.job, tools)).platformPostId;
    return secondId;
  });
  settle(
    'pinterest-second-call-makes-second-pin',
    secondId !== null && secondId !== firstId,
    describeRefusal(refusal, `a Pin with ${secondId === firstId ? 'the same' : 'another'} id`),
  );
  if (secondId === null) return bench.leave('pinterest-board-order', 'there is no second Pin');
  const listed = await bench.poll(listPatienceSeconds, async () => {
    const ids = (await pinsOf(bench, boardId)).map(({ id }) => id);
    return ids.includes(secondId ?? '') && ids.includes(firstId ?? '') ? ids : undefined;
  });
  if (listed.value === undefined)
    return bench.leave('pinterest-board-order', 'the list does not show both Pins');
  const isNewestFirst = listed.value.indexOf(secondId) < listed.value.indexOf(firstId ?? '');
  settle('pinterest-board-order', isNewestFirst, isNewestFirst ? 'the newest first' : 'the oldest first');
}

async function findPin(bench: Bench, boardId: string, id: string | null): Promise<ListedPin | undefined> {
  const { value } = await bench.poll(listPatienceSeconds, async () =>
    (await pinsOf(bench, boardId)).find((pin) => pin.id === id),
  );
  return value;
}

async function pinsOf({ accessToken, tools }: Bench, boardId: string): Promise<readonly ListedPin[]> {
  for await (const pins of pinterestClient({ accessToken }, tools).listBoardPins(boardId)) return pins;
  return [];
}
