import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { useActorNames } from '../../posts/approval.ts';
import type { Post } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import { ApproveDialog, DeclineDialog } from './decision-dialogs.tsx';
import { Proposed, type ProposedProps } from './proposed.tsx';

const texts = words.proposals;

interface ApprovalProps extends ProposedProps {
  approval: NonNullable<Post['approval']>;
}

/** The decision about a draft that somebody proposes: all that it would publish, and what a person can do with it. */
export function ApprovalSection({ post, approval, accounts }: ApprovalProps) {
  const nameOf = useActorNames();
  const { state, requestedBy, requestedAt, decidedBy, decidedAt, note } = approval;
  const decided = decidedBy !== null && decidedAt !== null && (
    <>
      {state === 'approved' ? texts.approvedBy : texts.declinedBy} <bdi>{nameOf(decidedBy)}</bdi>,{' '}
      <Time at={decidedAt} isInline />
    </>
  );
  if (state === 'approved') return <Notice tone="good">{decided}</Notice>;
  if (state === 'declined')
    return (
      <Notice tone="warn">
        <p>{decided}</p>
        {note !== null && (
          <p>
            <q dir="auto">{note}</q>
          </p>
        )}
        <p>{texts.again}</p>
      </Notice>
    );
  const lead = (
    <>
      {texts.proposedBy} <bdi>{nameOf(requestedBy)}</bdi>, <Time at={requestedAt} isRelative isInline />
    </>
  );
  return (
    <Section title={texts.title} lead={lead} isCard>
      <p>{texts.explains}</p>
      <Proposed post={post} accounts={accounts} />
      <Decision post={post} version={approval.version} />
    </Section>
  );
}

/** True if the draft has a time, and all of its times are still to come. */
function isTimely(post: Post, now: number): boolean {
  const times = [post.scheduledFor, ...post.platforms.map(({ scheduledFor }) => scheduledFor)];
  return post.scheduledFor !== null && times.every((time) => time === null || Date.parse(time) > now);
}

/** The ways to decide, about the version that the person has seen. */
function Decision({ post, version }: { post: Post; version: number }) {
  const [seen, setSeen] = useState(version);
  const [open, setOpen] = useState<'approve' | 'decline'>();
  const isChanged = version !== seen;
  const close = () => setOpen(undefined);
  const { scheduledFor } = post;
  const timely = isTimely(post, Date.now());
  return (
    <Stack gap={3}>
      {scheduledFor === null ? (
        <p>{texts.noTime}</p>
      ) : timely ? (
        <p>
          {texts.proposed} <Time at={scheduledFor} isInline />
        </p>
      ) : (
        <Notice tone="warn">{texts.hasPassed}</Notice>
      )}
      {post.platforms.length === 0 && <Notice tone="warn">{texts.noDestination}</Notice>}
      {isChanged && (
        <Notice
          tone="warn"
          isLive
          actions={
            <Button size="small" onPress={() => setSeen(version)}>
              {texts.seen}
            </Button>
          }
        >
          {texts.changed}
        </Notice>
      )}
      <Row>
        {post.platforms.length > 0 && (
          <Button variant="primary" icon="check" isDisabled={isChanged} onPress={() => setOpen('approve')}>
            {texts.approve}
          </Button>
        )}
        <ButtonLink to="/posts/$id/edit" params={{ id: post.id }} icon="pencil">
          {texts.change}
        </ButtonLink>
        <Button isDisabled={isChanged} onPress={() => setOpen('decline')}>
          {texts.decline}
        </Button>
      </Row>
      {open === 'approve' && <ApproveDialog post={post} version={seen} isTimely={timely} onClose={close} />}
      {open === 'decline' && <DeclineDialog post={post} version={seen} onClose={close} />}
    </Stack>
  );
}
