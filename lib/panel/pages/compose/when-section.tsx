import type { listSlotsOperation } from '../../../rhythm/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { DateTimeField } from '../../components/date-time-field.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Muted, Stack } from '../../components/layout.tsx';
import { Link } from '../../components/link.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { Section } from '../../components/section.tsx';
import textClasses from '../../components/texts.module.css';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';
import { accountName, useComposing } from './context.ts';
import type { Destination, When } from './draft/draft.ts';
import { keys } from './draft/places.ts';
import { instantText } from './draft/to-request.ts';
import classes from './fields.module.css';
import { AtField, Said } from './fields.tsx';

const texts = words.composer.when;
const noTime = { date: '', time: '' };

/** The time of the post: one that is typed, the next free slot, or now. */
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
            <div className={classes.under}>
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
            <div className={classes.under}>
              <Muted>{texts.next}</Muted>
              <Stack as="ul" gap={3}>
                {destinations.slice(0, mostShown).map((destination) => (
                  <NextSlots key={destination.accountId} destination={destination} />
                ))}
              </Stack>
            </div>
          )}
          <Radio value="now" note={texts.nowNote}>
            {texts.now}
          </Radio>
        </RadioGroup>
        <Said of={keys.when} isShared />
        <OwnTimes />
      </AtField>
    </Section>
  );
}

/** The accounts that go out with the post, and those with times of their own. */
function OwnTimes() {
  const { draft, accounts, go } = useComposing();
  const nameOf = ({ accountId, platform }: Destination) => accountName(accounts, accountId, platform);
  const own = draft.destinations.filter(({ time }) => time !== undefined);
  if (own.length === 0) return null;
  const sharing = draft.destinations.filter(({ time }) => time === undefined);
  return (
    <div className={classes.ownTimes}>
      {sharing.length > 0 && <Muted>{texts.withPost(words.composer.list(sharing.map(nameOf)))}</Muted>}
      <p className={textClasses.label}>{texts.own}</p>
      <Stack as="ul" gap={3}>
        {own.map((destination) => {
          const { accountId, time } = destination;
          const at = instantText(time, draft.timezone);
          return (
            <li key={accountId} className={classes.ownTime}>
              <span>{nameOf(destination)}</span>
              <span>{at === undefined ? words.composer.bar.noTime : <Time at={at} />}</span>
              <IconButton
                icon="pencil"
                size="small"
                label={texts.change(nameOf(destination))}
                onPress={() => go({ key: keys.ownTime(accountId), tab: accountId })}
              />
            </li>
          );
        })}
      </Stack>
    </div>
  );
}

/** More would only be a list to scroll through. */
const mostShown = 5;

function NextSlots({ destination: { accountId, platform } }: { destination: Destination }) {
  const { accounts } = useComposing();
  const { data, error } = useGet<typeof listSlotsOperation>('/v1/accounts/{id}/slots', {
    path: { id: accountId },
    query: { count: '3' },
  });
  return (
    <Stack as="li" gap={1}>
      <Link to="/accounts/$id" params={{ id: accountId }}>
        {accountName(accounts, accountId, platform)}
      </Link>
      <div className={classes.times}>
        {data?.slots.map(({ at }) => (
          <Time key={at} at={at} />
        ))}
        {data?.slots.length === 0 && <Muted as="span">{texts.noSlots}</Muted>}
        {error && !data && <Muted as="span">{texts.slotsFailed}</Muted>}
      </div>
    </Stack>
  );
}
