import type { listSlotsOperation } from '../../../../rhythm/operations.ts';
import { useGet } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { DateTimeField } from '../../../components/date-time-field.tsx';
import { Link } from '../../../components/link.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { Section } from '../../../components/section.tsx';
import textClasses from '../../../components/texts.module.css';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import type { Destination, When } from '../draft/draft.ts';
import { keys } from '../draft/places.ts';
import { AtField, Said } from './at-field.tsx';
import { accountName, useComposing } from './context.ts';
import classes from './when-section.module.css';

const texts = words.composer.when;
const noTime = { date: '', time: '' };

/** When the post goes out: at a time, in the next free slot, or now. */
export function WhenSection() {
  const { draft, act } = useComposing();
  const { when, destinations } = draft;
  const change = (kind: string) =>
    act({ do: 'plan', when: (kind === 'at' ? { kind: 'at' } : { kind }) as When });
  return (
    <Section title={texts.title} isCard>
      <AtField of={keys.when}>
        <RadioGroup label={texts.title} value={when.kind} onChange={change} isLabelHidden>
          <Radio value="at">{texts.at}</Radio>
          {when.kind === 'at' && (
            <div className={classes['under']}>
              <DateTimeField
                label={texts.field}
                value={when.time ?? noTime}
                onChange={(time) => act({ do: 'plan', when: { kind: 'at', time } })}
              />
              {when.time !== undefined && (
                <div>
                  <Button
                    size="small"
                    variant="quiet"
                    icon="cross"
                    onPress={() => act({ do: 'plan', when: { kind: 'at' } })}
                  >
                    {texts.clear}
                  </Button>
                </div>
              )}
            </div>
          )}
          <Radio value="slot" note={texts.slotNote}>
            {texts.slot}
          </Radio>
          {when.kind === 'slot' && destinations.length > 0 && (
            <div className={classes['under']}>
              <p className={textClasses['minor']}>{texts.next}</p>
              <ul className={classes['slots']}>
                {destinations.slice(0, mostShown).map((destination) => (
                  <NextSlots key={destination.accountId} destination={destination} />
                ))}
              </ul>
            </div>
          )}
          <Radio value="now" note={texts.nowNote}>
            {texts.now}
          </Radio>
        </RadioGroup>
        <Said of={keys.when} isShared />
      </AtField>
    </Section>
  );
}

/** More would only be a list to scroll through. */
const mostShown = 5;

function NextSlots({ destination: { accountId, platform } }: { readonly destination: Destination }) {
  const { accounts } = useComposing();
  const { data, error } = useGet<typeof listSlotsOperation>('/v1/accounts/{id}/slots', {
    path: { id: accountId },
    query: { count: '3' },
  });
  return (
    <li className={classes['slot']}>
      <Link to="/accounts/$id" params={{ id: accountId }}>
        {accountName(accounts, accountId, platform)}
      </Link>
      <div className={classes['times']}>
        {data?.slots.map(({ at }) => (
          <Time key={at} at={at} />
        ))}
        {data?.slots.length === 0 && <span className={textClasses['minor']}>{texts.noSlots}</span>}
        {error && !data && <span className={textClasses['minor']}>{texts.slotsFailed}</span>}
      </div>
    </li>
  );
}
