import { useState } from 'react';
import type { editAutomationOperation, readAutomationOperation } from '../../../automations/operations.ts';
import { useGet, useSend } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { Row } from '../../components/layout.tsx';
import { Status } from '../../components/status.tsx';
import { Switch } from '../../components/switch.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { words } from '../../words/words.ts';
import type { Automation } from './automation.ts';
import classes from './list.module.css';
import { automationPaths } from './use-automations.ts';

const path = '/v1/comment-automations/{id}';

interface Pausable extends Pick<Automation, 'id' | 'isActive'> {
  title: string;
}

/**
 * Turns an automation on or off. Who pauses one whose messages wait is asked first, because those may be lost.
 *
 * @returns `isOn`: what it is, or is about to be; `question`: to be rendered
 */
export function usePause({ id, isActive, title }: Pausable) {
  const [isAsking, setAsking] = useState(false);
  // Known from where the counts are shown.
  const { data } = useGet<typeof readAutomationOperation>(path, { path: { id } }, { isEnabled: false });
  const waiting = data?.automation.waiting.count ?? 0;
  const send = useSend<typeof editAutomationOperation>('PATCH', path, automationPaths);
  const isOn = (send.isPending ? send.variables.body?.isActive : undefined) ?? isActive;
  const change = (wanted: boolean) =>
    send.mutate({ path: { id }, body: { isActive: wanted } }, { onSettled: () => setAsking(false) });
  const question = isAsking && (
    <ConfirmDialog
      title={words.automationsPage.pause.title(title)}
      action={words.automationsPage.pause.action}
      isOpen
      isPending={send.isPending}
      error={null}
      onConfirm={() => change(false)}
      onClose={() => setAsking(false)}
    >
      <p>{words.automationsPage.pause.waiting(waiting)}</p>
    </ConfirmDialog>
  );
  const set = (wanted: boolean) => (!wanted && waiting > 0 ? setAsking(true) : change(wanted));
  return { isOn, set, question, isPending: send.isPending, error: send.error };
}

export const AutomationState = ({ isActive }: { isActive: boolean }) =>
  isActive ? (
    <Status tone="good">{words.automationsPage.states.active}</Status>
  ) : (
    <Status tone="neutral">{words.automationsPage.states.paused}</Status>
  );

interface PauseSwitchProps {
  automation: Pick<Automation, 'id' | 'isActive'>;
  title: string;
}

/** Pauses or resumes an automation where it is listed. What failed is said below, until it works. */
export function PauseSwitch({ automation: { id, isActive }, title }: PauseSwitchProps) {
  const { isOn, set, question, isPending, error } = usePause({ id, isActive, title });
  return (
    <div>
      <Row isOneLine>
        <Switch isSelected={isOn} onChange={set} isReadOnly={isPending}>
          <VisuallyHidden>{words.automationsPage.list.answers(title)}</VisuallyHidden>
        </Switch>
        <AutomationState isActive={isOn} />
      </Row>
      {error && (
        <p role="alert" className={classes.failure}>
          {sentence(error.message)}
        </p>
      )}
      {question}
    </div>
  );
}
