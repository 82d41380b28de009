import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MORNING } from '../shared/morning-lists.ts';
import { ABSENT } from '../shared/sentences.ts';
import { Missing } from '../shared/ui/states.tsx';

/** The way on for a reader without a list: one of a morning, or one of his own. */
export const NoList = ({ onMorning }: { readonly onMorning: (name: string) => void }): ReactNode => (
  <Missing reason={ABSENT.planList} height={140}>
    <span className="row no-list">
      {Object.keys(MORNING).map((name) => (
        <button key={name} type="button" onClick={() => onMorning(name)}>
          {name}
        </button>
      ))}
      <Link to="/">a list of your own</Link>
    </span>
  </Missing>
);
