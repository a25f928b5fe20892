import { useState } from 'react';
import type { listConversationsOperation } from '../../../automations/operations.ts';
import { usePages } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Filter, FilterBar } from '../../components/filter-bar.tsx';
import { Muted, Stack } from '../../components/layout.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Reading } from '../../components/reading.tsx';
import { Section } from '../../components/section.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';
import { describeFailure } from './reasons.ts';

type Conversation = ReplyOf<typeof listConversationsOperation>['conversations'][number];

const texts = words.automationPage.conversations;
const perPage = '20';
const everyMs = 60_000;

const tones: Readonly<Record<Conversation['state'], Tone>> = {
  waiting: 'info',
  awaiting_answer: 'neutral',
  done: 'good',
  failed: 'bad',
  unknown: 'warn',
};

const columns: readonly Column<Conversation>[] = [
  { id: 'who', title: texts.columns.who, width: 'minmax(0, 1.4fr)', isRowHeader: true, cell: Who },
  { id: 'what', title: texts.columns.what, width: '9rem', cell: What },
  { id: 'state', title: texts.columns.state, width: 'minmax(0, 1fr)', cell: State },
  {
    id: 'when',
    title: texts.columns.when,
    width: '9rem',
    cell: ({ commentedAt }) => <Time at={commentedAt} isRelative />,
  },
];

/** The replies and messages of the last 30 days, one by one. */
export function ConversationsSection({ id }: { id: string }) {
  const [state, setState] = useState<Conversation['state'] | ''>('');
  const [kind, setKind] = useState<Conversation['kind'] | ''>('');
  const filters = { ...(state !== '' && { state }), ...(kind !== '' && { kind }) };
  const pages = usePages<typeof listConversationsOperation>(
    '/v1/comment-automations/{id}/conversations',
    { path: { id }, query: { limit: perPage, ...filters } },
    { refetchEveryMs: everyMs },
  );
  const rows = pages.data?.pages.flatMap((page) => page.conversations);
  return (
    <Section title={texts.title} lead={texts.lead} isCard>
      <Stack>
        <FilterBar label={texts.filters}>
          <Filter
            label={texts.columns.state}
            all={texts.anyState}
            names={texts.states}
            value={state}
            onChange={(value) => setState(value as Conversation['state'] | '')}
          />
          <Filter
            label={texts.columns.what}
            all={texts.anyKind}
            names={texts.kinds}
            value={kind}
            onChange={(value) => setKind(value as Conversation['kind'] | '')}
          />
        </FilterBar>
        {rows === undefined ? (
          <Reading of={pages} rows={3} />
        ) : rows.length === 0 ? (
          <Muted role="status">{pages.hasNextPage ? texts.noneYet : texts.none}</Muted>
        ) : (
          <Table
            label={texts.title}
            columns={columns}
            rows={rows}
            idOf={(row) => `${row.kind} ${row.commentId ?? row.messageId}`}
          />
        )}
        <LoadMore pages={pages} />
      </Stack>
    </Section>
  );
}

function Who({ username, text, personId }: Conversation) {
  return (
    <Stack gap={0}>
      <bdi>{username === null ? texts.unnamed(personId) : `@${username}`}</bdi>
      <Muted>{text === null ? texts.noText : <bdi>{text}</bdi>}</Muted>
    </Stack>
  );
}

function What({ kind, sent }: Conversation) {
  return sent === null ? texts.kinds[kind] : texts.sent[sent];
}

function State({ state, reason }: Conversation) {
  const described = reason && describeFailure({ ...reason, count: 1 });
  return (
    <Stack gap={0}>
      <Status tone={tones[state]}>{texts.states[state]}</Status>
      {described && (
        <Muted>
          {described.text} {described.next}
        </Muted>
      )}
    </Stack>
  );
}
