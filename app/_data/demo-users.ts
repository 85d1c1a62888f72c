/** The possible states of a demo user. */
export const userStatuses = ['active', 'trial', 'inactive', 'reviewed'] as const;

/** One of {@link userStatuses}. */
export type UserStatus = (typeof userStatuses)[number];

/** One row of the demo `users` table. */
export type DemoUser = {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly city: string;
  readonly status: UserStatus;
};

/** The initial rows of the `users` table. The domain is reserved, so no address belongs to anybody. */
export const seedUsers: readonly DemoUser[] = [
  { id: 1, name: 'Alice Moreau', email: 'alice.moreau@example.com', city: 'Lyon', status: 'active' },
  { id: 2, name: 'Bob Tanaka', email: 'bob.tanaka@example.com', city: 'Tokyo', status: 'active' },
  { id: 3, name: 'Carol Jensen', email: 'carol.jensen@example.com', city: 'Aarhus', status: 'trial' },
  { id: 4, name: 'David Okafor', email: 'david.okafor@example.com', city: 'Lagos', status: 'active' },
  { id: 5, name: 'Elena Petrova', email: 'elena.petrova@example.com', city: 'Sofia', status: 'inactive' },
  { id: 6, name: 'Farid Haddad', email: 'farid.haddad@example.com', city: 'Beirut', status: 'trial' },
  { id: 7, name: 'Grace Kim', email: 'grace.kim@example.com', city: 'Seoul', status: 'active' },
  { id: 8, name: 'Hugo Álvarez', email: 'hugo.alvarez@example.com', city: 'Bogotá', status: 'inactive' },
  { id: 9, name: 'Ines Duarte', email: 'ines.duarte@example.com', city: 'Porto', status: 'active' },
  { id: 10, name: 'Zoë Lindqvist', email: 'zoe.lindqvist@example.com', city: 'Malmö', status: 'trial' },
];
