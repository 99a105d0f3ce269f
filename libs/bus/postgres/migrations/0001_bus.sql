-- Up Migration

CREATE TABLE bus_topics (
  topic text PRIMARY KEY,
  partitions integer NOT NULL CHECK (partitions > 0)
);

-- The row is the lock that orders a partition: who holds it takes the next offsets, and commits before the next one can.
-- So offsets have no holes, and become visible in their order.
CREATE TABLE bus_partitions (
  topic text NOT NULL REFERENCES bus_topics (topic),
  partition integer NOT NULL,
  next_offset bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic, partition)
) WITH (fillfactor = 50);

CREATE TABLE bus_messages (
  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  id text NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  published_at timestamptz NOT NULL,
  PRIMARY KEY (topic, partition, "offset")
);

-- A row exists from the first time that a group consumed; `committed` is the offset of its next message.
CREATE TABLE bus_offsets (
  group_name text NOT NULL,
  topic text NOT NULL,
  partition integer NOT NULL,
  committed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic, group_name, partition)
) WITH (fillfactor = 50);

-- Who shares the partitions. What a member owns is not written here: its connection's advisory locks say it.
CREATE TABLE bus_members (
  member text PRIMARY KEY,
  group_name text NOT NULL,
  topic text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX bus_members_of_group ON bus_members (topic, group_name);

-- In one round trip, so that no publisher keeps others waiting longer than the server needs. Ascending partitions: two
-- publishers that share several cannot lock each other out.
CREATE FUNCTION bus_publish(of_topic text, partitions integer[], ids text[], keys text[], contents text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  target record;
  first_offset bigint;
BEGIN
  FOR target IN
    SELECT place.partition, count(*) AS messages FROM unnest(partitions) AS place (partition) GROUP BY 1 ORDER BY 1
  LOOP
    UPDATE bus_partitions p SET next_offset = p.next_offset + target.messages
    WHERE p.topic = of_topic AND p.partition = target.partition
    RETURNING p.next_offset - target.messages INTO STRICT first_offset;

    INSERT INTO bus_messages (topic, partition, "offset", id, key, value, published_at)
    SELECT of_topic, m.partition, first_offset + row_number() OVER (ORDER BY m.place) - 1, m.id, m.key, m.value, clock_timestamp()
    FROM unnest(partitions, ids, keys, contents) WITH ORDINALITY AS m (partition, id, key, value, place)
    WHERE m.partition = target.partition;
  END LOOP;
END
$$;

-- Down Migration

DROP FUNCTION bus_publish;
DROP TABLE bus_members, bus_offsets, bus_messages, bus_partitions, bus_topics;
