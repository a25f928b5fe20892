import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { editPostOperation } from '../../../posts/request/operations.ts';
import { useSend } from '../../api/hooks.ts';
import type { RequestOf } from '../../api/operation-types.ts';
import { DateTimeField } from '../../components/date-time-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { type Post, postPaths } from '../../posts/post.ts';
import { instantOf, type WallClock } from '../../wall-clock.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';

const texts = words.proposals;

type Change = NonNullable<RequestOf<typeof editPostOperation>['body']>;

interface DialogProps {
  post: Post;
  /** The version that the person has seen. */
  version: number;
  onClose: () => void;
}

/** Sends a decision. Not with `onSuccess`: the dialog goes with the question once the post is read again, and its callbacks too. */
function useDecision({ post, version, onClose }: DialogProps, done: string) {
  const navigate = useNavigate();
  const { mutateAsync, isPending, error } = useSend<typeof editPostOperation>(
    'PATCH',
    '/v1/posts/{id}',
    postPaths,
  );
  const send = async (change: Change) => {
    await mutateAsync({ path: { id: post.id }, body: { ...change, ifVersion: version } });
    toast({ text: done, action: { label: texts.dialog.others, run: () => void navigate({ to: '/' }) } });
    onClose();
  };
  return { decide: (change: Change) => void send(change).catch(() => undefined), isPending, error };
}

type When = 'proposed' | 'slot' | 'at' | 'now';

/** Asks when the draft goes live. */
export function ApproveDialog(props: DialogProps & { isTimely: boolean }) {
  const { post, isTimely, onClose } = props;
  const { timezone } = useWorkspace();
  const [when, setWhen] = useState<When>(isTimely ? 'proposed' : 'slot');
  const [wall, setWall] = useState<WallClock>({ date: '', time: '' });
  const [problem, setProblem] = useState<string>();
  const { decide, isPending, error } = useDecision(props, texts.dialog.done);
  const submit = () => {
    if (when !== 'at') return decide(changes[when]);
    const at = instantOf(wall, timezone)?.at;
    if (at === undefined) return setProblem(words.moving.incomplete);
    if (at.getTime() <= Date.now()) return setProblem(words.moving.pastField);
    decide({ scheduledFor: at.toISOString() });
  };
  return (
    <Dialog title={texts.dialog.title} isOpen onClose={onClose}>
      <DialogForm
        submit={texts.dialog.action}
        sending={{ isPending, error }}
        errorTitle={texts.dialog.failed}
        onSubmit={submit}
        onClose={onClose}
      >
        <RadioGroup label={texts.dialog.when} value={when} onChange={(kind) => setWhen(kind as When)}>
          {isTimely && post.scheduledFor !== null && (
            <Radio value="proposed" note={<Time at={post.scheduledFor} isInline />}>
              {texts.dialog.proposed}
            </Radio>
          )}
          <Radio value="slot">{texts.dialog.slot}</Radio>
          <Radio value="at">{texts.dialog.at}</Radio>
          <Radio value="now" note={texts.dialog.nowNote}>
            {texts.dialog.now}
          </Radio>
        </RadioGroup>
        {when === 'at' && (
          <DateTimeField
            label={texts.dialog.time}
            value={wall}
            onChange={(next) => {
              setProblem(undefined);
              setWall(next);
            }}
          />
        )}
        {when === 'at' && problem !== undefined && (
          <Notice tone="bad" isLive>
            {problem}
          </Notice>
        )}
      </DialogForm>
    </Dialog>
  );
}

const changes: Readonly<Record<Exclude<When, 'at'>, Change>> = {
  proposed: { isDraft: false },
  slot: { scheduledFor: 'auto' },
  now: { publishNow: true },
};

const mostCharacters = 1_000;

/** Asks why the draft is declined. */
export function DeclineDialog(props: DialogProps) {
  const { onClose } = props;
  const [note, setNote] = useState('');
  const { decide, isPending, error } = useDecision(props, texts.declining.done);
  const reason = note.trim();
  return (
    <Dialog title={texts.declining.title} isOpen onClose={onClose}>
      <DialogForm
        submit={texts.declining.action}
        sending={{ isPending, error }}
        errorTitle={texts.declining.failed}
        onSubmit={() => decide({ decline: { ...(reason !== '' && { note: reason }) } })}
        onClose={onClose}
      >
        <p>{texts.declining.text}</p>
        <TextArea
          label={texts.declining.note}
          help={texts.declining.noteHelp}
          isOptional
          name="decline.note"
          maxLength={mostCharacters}
          value={note}
          onChange={setNote}
          autoFocus
        />
      </DialogForm>
    </Dialog>
  );
}
