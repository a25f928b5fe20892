import { useState } from 'react';
import { Checkbox, CheckboxGroup } from '../../../components/checkbox.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { words } from '../../../words/words.ts';
import common from '../developers.module.css';
import type { EventType, Subscription } from './endpoint.ts';
import classes from './endpoints.module.css';

const texts = words.endpointsTab.eventChoice;

/** `webhook.test` is sent whatever an endpoint lists, so it is no choice. */
const groups: readonly { name: string; types: readonly EventType[] }[] = [
  {
    name: texts.groups.post,
    types: [
      'post.scheduled',
      'post.published',
      'post.partial',
      'post.failed',
      'post.target.published',
      'post.target.failed',
    ],
  },
  {
    name: texts.groups.account,
    types: ['account.connected', 'account.expiring', 'account.expired', 'account.disconnected'],
  },
  { name: texts.groups.inbox, types: ['comment.received', 'dm.received'] },
];

interface EventChoiceProps {
  value: readonly Subscription[];
  onChange: (value: readonly Subscription[]) => void;
}

/** All events, or some of them with what they mean. */
export function EventChoice({ value, onChange }: EventChoiceProps) {
  const isAll = value.includes('*');
  const [before, setBefore] = useState<readonly Subscription[]>(isAll ? [] : value);
  const choose = (types: readonly Subscription[]) => {
    setBefore(types);
    onChange(types);
  };
  return (
    <div className={common.choice}>
      <RadioGroup
        label={texts.label}
        value={isAll ? 'all' : 'chosen'}
        onChange={(kind) => (kind === 'all' ? onChange(['*']) : choose(before))}
      >
        <Radio value="all" note={texts.allNote}>
          {texts.all}
        </Radio>
        <Radio value="chosen">{texts.chosen}</Radio>
      </RadioGroup>
      {!isAll && <ChosenEvents value={value} onChange={choose} />}
    </div>
  );
}

function ChosenEvents({ value, onChange }: EventChoiceProps) {
  return (
    <div className={common.chosen}>
      <CheckboxGroup
        label={texts.choose}
        name="events"
        value={[...value]}
        onChange={(types) => onChange(types as Subscription[])}
        validate={(types) => (types.length === 0 ? texts.atLeastOne : null)}
      >
        {groups.map(({ name, types }) => (
          <fieldset key={name} className={classes.group}>
            <legend>{name}</legend>
            {types.map((type) => (
              <Checkbox key={type} value={type} note={words.endpointsTab.descriptions[type]}>
                <code>{type}</code>
              </Checkbox>
            ))}
          </fieldset>
        ))}
      </CheckboxGroup>
    </div>
  );
}
