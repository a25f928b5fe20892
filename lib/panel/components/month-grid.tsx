import { Button } from 'react-aria-components/Button';
import { Calendar, CalendarCell, CalendarGrid } from 'react-aria-components/Calendar';
import { Heading } from 'react-aria-components/Heading';
import { join } from './classes.ts';
import classes from './date-field.module.css';
import { Icon } from './icon.tsx';
import iconButton from './icon-button.module.css';

const arrow = join(iconButton.button, iconButton.small);

/** The days of a month, from which a {@link DateField} is chosen. */
export default function MonthGrid() {
  return (
    <Calendar>
      <header className={classes.month}>
        <Button slot="previous" className={join(arrow, classes.previous)}>
          <Icon name="chevronRight" />
        </Button>
        <Heading className={classes.title} />
        <Button slot="next" className={arrow}>
          <Icon name="chevronRight" />
        </Button>
      </header>
      <CalendarGrid className={classes.days}>
        {(date) => <CalendarCell date={date} className={classes.day} />}
      </CalendarGrid>
    </Calendar>
  );
}
