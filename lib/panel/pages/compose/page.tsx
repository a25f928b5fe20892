import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { createPostOperation } from '../../../posts/request/operations.ts';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import { useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Post } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { act } from './draft/actions.ts';
import { type Draft, newDraft } from './draft/draft.ts';
import { fromPost } from './draft/from-post.ts';
import type { KeptPost } from './draft/kept-posts.ts';
import { isSameDraft } from './draft/rebase.ts';
import { type Intent, toRequest } from './draft/to-request.ts';
import { inZone } from './draft/zone.ts';
import { Composer } from './parts/composer.tsx';
import { SentPost } from './parts/sent-post.tsx';
import { Unfinished } from './parts/unfinished.tsx';
import { handOverUploads } from './state/hand-over-uploads.ts';
import { postPaths, useDone } from './state/use-done.ts';
import { useKeptDraft, useKeptPosts } from './state/use-kept-draft.ts';
import { isRefusal, useRefused } from './state/use-refused.ts';

/** A new post. The URL names its draft as soon as this browser keeps it. */
export function ComposePage() {
  const { name } = useWorkspace();
  const accounts = useAccounts();
  const { id, renew } = useDraftId();
  return (
    <Page
      title={words.composer.newTitle}
      of={name}
      back={<Link to="/calendar">{words.composer.backToCalendar}</Link>}
    >
      {accounts.data ? (
        <NewPost key={id} id={id} onAnother={renew} />
      ) : accounts.isError ? (
        <ErrorState
          error={accounts.error}
          onRetry={() => void accounts.refetch()}
          isRetrying={accounts.isFetching}
        />
      ) : (
        <Skeleton rows={6} />
      )}
    </Page>
  );
}

/**
 * The draft that the URL names; without one, a new id, which stays when the URL gets it, and is another one for the next new post. One that
 * is no longer kept may have been sent: a new text with its id would be taken for the same post.
 *
 * @returns `renew` takes another id for the page without a draft in its URL
 */
function useDraftId(): { id: string; renew: () => void } {
  const { draft: asked } = useSearch({ from: '/shell/compose' });
  const drafts = useKeptPosts();
  const [fresh, setFresh] = useState(() => ({ id: crypto.randomUUID() as string, isUsed: false }));
  const find = () => ({
    asked,
    isMissing: asked !== undefined && drafts.get(asked, Date.now()) === undefined,
  });
  const [found, setFound] = useState(find);
  if (found.asked !== asked) setFound(asked === fresh.id ? { asked, isMissing: false } : find());
  const isNew = asked === undefined || found.isMissing;
  if (asked === fresh.id && !fresh.isUsed) setFresh({ ...fresh, isUsed: true });
  if (isNew && fresh.isUsed) setFresh({ id: crypto.randomUUID(), isUsed: false });
  const renew = () => setFresh({ id: crypto.randomUUID(), isUsed: false });
  return { id: isNew ? fresh.id : asked, renew };
}

interface NewPostProps {
  id: string;
  onAnother: () => void;
}

function NewPost({ id, onAnother }: NewPostProps) {
  const search = useSearch({ from: '/shell/compose' });
  const navigate = useNavigate();
  const drafts = useKeptPosts();
  const accounts = useAccountsById() ?? new Map();
  const { timezone } = useWorkspace();
  const [{ initial, isMissing }] = useState((): { initial: KeptPost; isMissing: boolean } => {
    const found = drafts.get(id, Date.now());
    if (found !== undefined)
      return { initial: { ...found, draft: inZone(found.draft, timezone) }, isMissing: false };
    return { initial: { draft: prefilled(id), editedAt: 0 }, isMissing: search.draft !== undefined };
  });
  const kept = useKeptDraft(initial);
  const { draft, keeping, act: change } = kept;
  const latest = useRef(draft);
  latest.current = draft;
  /** The id of the post that it has become: the form is not shown again, also not if somebody comes back before the next page is there. */
  const [sentAs, setSentAs] = useState<string>();
  const [mismatch, setMismatch] = useState<Post>();
  const [intent, setIntent] = useState<Intent>();
  const create = useSend<typeof createPostOperation>('POST', '/v1/posts', postPaths);
  const done = useDone();

  function prefilled(id: string): Draft {
    const account = search.account === undefined ? undefined : accounts.get(search.account);
    const empty = newDraft(id, timezone);
    const addressed = account === undefined ? empty : act(empty, { do: 'toggle', account });
    const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(search.at ?? '') ?? [];
    return date === undefined || time === undefined
      ? addressed
      : act(addressed, { do: 'plan', when: { kind: 'at', time: { date, time } } });
  }

  useEffect(() => {
    if (keeping === 'kept' && search.draft !== id)
      void navigate({ to: '/compose', search: { draft: id }, replace: true, resetScroll: false });
  }, [keeping, search.draft, id, navigate]);

  useEffect(() => {
    if (draft.timezone !== timezone) change({ do: 'replace', draft: inZone(draft, timezone) });
  }, [draft, timezone, change]);

  const refused = useRefused(create.error, draft);

  const send = (intent: Intent) => {
    setIntent(intent);
    create.mutate(
      { body: toRequest(draft, intent) },
      {
        onSuccess: (reply) => {
          if ('idempotencyMismatch' in reply && reply.idempotencyMismatch) return setMismatch(reply.post);
          // What was typed while it was sent is not in it, and becomes an unsaved change.
          if (!isSameDraft(draft, latest.current)) keepAsChange(reply.post);
          handOverUploads(draft, fromPost(reply.post, timezone));
          kept.finish(reply.post.id);
          setSentAs(reply.post.id);
          const said =
            intent === 'keep'
              ? words.composer.done.draft
              : draft.when.kind === 'now'
                ? words.composer.done.publishing
                : words.composer.done.scheduled;
          done(reply.post, intent, said, reply.warnings.length);
        },
      },
    );
  };

  const keepAsChange = (post: Post) =>
    drafts.set(post.id, {
      draft: { ...latest.current, id: post.id },
      editedAt: Date.now(),
      before: fromPost(post, timezone),
    });

  /** The typed text becomes an unsaved change of the post that an earlier try has made. */
  const putInto = (post: Post) => {
    const { id } = post;
    keepAsChange(post);
    handOverUploads(draft, { ...draft, id });
    kept.finish(id);
    setSentAs(id);
    void navigate({ to: '/posts/$id/edit', params: { id } });
  };

  if (sentAs !== undefined || kept.sentElsewhere !== undefined)
    return (
      <SentPost
        postId={sentAs ?? kept.sentElsewhere ?? ''}
        elsewhere={sentAs === undefined ? draft : undefined}
        onAnother={() => {
          onAnother();
          void navigate({ to: '/compose', search: {} });
        }}
      />
    );
  return (
    <Composer
      kept={kept}
      accounts={accounts}
      isNew
      keepLabel={words.composer.bar.saveDraft}
      sendLabel={sendLabels[draft.when.kind]}
      pending={create.isPending ? intent : undefined}
      error={isRefusal(create.error) ? null : create.error}
      errorTitle={words.composer.failed.create}
      refused={refused}
      onSend={send}
    >
      {isMissing && <Notice tone="info">{words.composer.unfinished.missing}</Notice>}
      {kept.isElsewhere && (
        <Notice tone="info" isLive>
          {words.composer.elsewhere.open}
        </Notice>
      )}
      {mismatch !== undefined && (
        <Notice
          tone="warn"
          isLive
          title={words.composer.mismatch.title}
          actions={
            <>
              <Button size="small" variant="primary" onPress={() => putInto(mismatch)}>
                {words.composer.mismatch.apply}
              </Button>
              <ButtonLink size="small" to="/posts/$id" params={{ id: mismatch.id }}>
                {words.composer.mismatch.open}
              </ButtonLink>
            </>
          }
        >
          {words.composer.mismatch.text}
        </Notice>
      )}
      {initial.editedAt === 0 && keeping === 'nothing' && (
        <Unfinished drafts={drafts} except={id} accounts={accounts} />
      )}
    </Composer>
  );
}

const sendLabels = {
  at: words.composer.bar.schedule,
  slot: words.composer.bar.scheduleSlot,
  now: words.composer.bar.publish,
} as const;
