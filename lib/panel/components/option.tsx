import { ListBoxItem } from 'react-aria-components/ListBox';
import { Text } from 'react-aria-components/Text';
import { Icon, type IconName } from './icon.tsx';
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

interface ChoiceBodyProps {
  name: string;
  note?: string | undefined;
  icon?: IconName | undefined;
  isSelected: boolean;
}

/** The content of an item in a popover's list: of a menu, a select, a combo box. */
export function ChoiceBody({ name, note, icon, isSelected }: ChoiceBodyProps) {
  return (
    <>
      {icon && <Icon name={icon} />}
      <Text slot="label" className={classes.text}>
        {name}
      </Text>
      {note && (
        <Text slot="description" className={classes.note}>
          {note}
        </Text>
      )}
      {isSelected && (
        <span className={classes.check}>
          <Icon name="check" />
        </span>
      )}
    </>
  );
}
