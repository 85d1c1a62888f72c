/** The header of the feed that names its reader. Tabs with one name share a connection. @source H11 */
export const feedReaderHeader = 'countersign-reader';
