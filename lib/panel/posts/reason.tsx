import { platformTitles } from '../accounts/platforms.ts';
import { sentence } from '../components/error-notice.tsx';
import { words } from '../words/words.ts';
import type { ListedTarget } from './post.ts';
import classes from './reason.module.css';
import { type Remedy, reasonIn } from './remedy.ts';

interface ReasonProps {
  target: ListedTarget;
  remedy: Remedy;
  /** Changes a text of the service, such as by the names of files. */
  edit?: (text: string) => string;
}

/** The reason why a destination failed or waits, in plain words. What the platform said is shown on demand. */
export function Reason({ target, remedy, edit = (text) => text }: ReasonProps) {
  const { error, errorDetail, platform } = target;
  if (error === null) return <p className={classes.reason}>{words.reasons.none}</p>;
  const said = edit(reasonIn(error));
  const plain = plainReason(target, remedy);
  const quoted = errorDetail?.platformMessage ?? null;
  if (plain === undefined && (quoted === null || said.includes(quoted)))
    return (
      <p dir="auto" className={classes.reason}>
        {sentence(said)}
      </p>
    );
  return (
    <div className={classes.reason}>
      <p dir="auto">{plain ?? sentence(said)}</p>
      <details className={classes.said}>
        <summary>{words.reasons.said}</summary>
        {plain !== undefined && <p dir="auto">{sentence(said)}</p>}
        {quoted !== null && !said.includes(quoted) && (
          <p>
            {platformTitles[platform]}: <q dir="auto">{quoted}</q>
          </p>
        )}
      </details>
    </div>
  );
}

/** The reason in plain words; `undefined` if the service's own text is as plain as it gets. */
export function plainReason({ errorDetail, platform }: ListedTarget, remedy: Remedy): string | undefined {
  if (errorDetail === null) return undefined;
  const { code, category, platformMessage } = errorDetail;
  // The service has refused it itself, and its text says what is wrong.
  if (code === 'platform_rejected' && platformMessage === null) return undefined;
  if (category === 'reconnect' && code !== 'permission_missing' && remedy === 'retry')
    return words.reasons.worksAgain;
  const byCode: Readonly<Record<string, ((platform: string) => string) | undefined>> = words.reasons.byCode;
  return byCode[code]?.(platformTitles[platform]);
}
