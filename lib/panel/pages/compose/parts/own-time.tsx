import { DateTimeField } from '../../../components/date-time-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { Time } from '../../../components/time.tsx';
import { wallClockOf } from '../../../wall-clock.ts';
import { words } from '../../../words/words.ts';
import type { Destination } from '../draft/draft.ts';
import { keys } from '../draft/places.ts';
import { instantText } from '../draft/to-request.ts';
import { AtField, Said } from './at-field.tsx';
import { useComposing } from './context.ts';
import { InheritAgain, Inherited } from './inherited.tsx';

const texts = words.composer.ownTime;

/** When an account's post goes out: with the others, also if these are moved, until it has a time of its own. */
export function OwnTime({ destination: { accountId, time } }: { destination: Destination }) {
  const { draft, act } = useComposing();
  const { when, timezone } = draft;
  const key = keys.ownTime(accountId);
  const override = (time: Destination['time']) => act({ do: 'override', accountId, changes: { time } });
  if (time === undefined) {
    const at = when.kind === 'at' ? instantText(when.time, timezone) : undefined;
    return (
      <Inherited
        label={texts.label}
        says={at === undefined ? texts.inherited : texts.inheritedAt}
        action={texts.override}
        onOverride={() =>
          override(
            when.kind === 'at' && when.time !== undefined
              ? when.time
              : wallClockOf(new Date(Date.now() + 3_600_000), timezone),
          )
        }
      >
        {at === undefined ? (
          when.kind !== 'at' && <p className={textClasses['minor']}>{words.composer.bar[when.kind]}</p>
        ) : (
          <p>
            <Time at={at} />
          </p>
        )}
      </Inherited>
    );
  }
  return (
    <AtField of={key}>
      <DateTimeField label={texts.label} value={time} onChange={override} />
      <Said of={key} />
      <InheritAgain action={texts.inherit} onPress={() => override(undefined)} />
    </AtField>
  );
}
