import type { ReactNode } from 'react';

interface Props<Name extends string> {
  readonly label: string;
  /** What each is called, in the order in which they stand. */
  readonly titles: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  readonly className?: string;
}

/** Names of which one is chosen. */
export function TabList<Name extends string>({
  label,
  titles,
  chosen,
  onChoose,
  className,
}: Props<Name>): ReactNode {
  return (
    <div className={className} role="tablist" aria-label={label}>
      {(Object.keys(titles) as Name[]).map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          onClick={() => onChoose(name)}
        >
          {titles[name]}
        </button>
      ))}
    </div>
  );
}
