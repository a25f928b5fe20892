import { ListBoxItem } from 'react-aria-components/ListBox';
import { ChoiceBody } from './choice-body.tsx';
import type { IconName } from './icon.tsx';
import classes from './popover.module.css';

/** One of the choices of a select or combo box. */
export interface Choice {
  id: string;
  name: string;
  note?: string | undefined;
  icon?: IconName | undefined;
}

export function Option({ id, name, note, icon }: Choice) {
  return (
    <ListBoxItem id={id} textValue={name} className={classes.item}>
      {({ isSelected }) => <ChoiceBody name={name} note={note} icon={icon} isSelected={isSelected} />}
    </ListBoxItem>
  );
}
