-- Up Migration

-- All partitions at once: a loop over them cost two statements for each. The rows are locked first, in ascending order, so
-- that two publishers cannot lock each other out; what follows sees how far the one before has come.
CREATE OR REPLACE FUNCTION bus_publish(of_topic text, partitions integer[], ids text[], keys text[], contents text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM bus_partitions p WHERE p.topic = of_topic AND p.partition = ANY (partitions)
  ORDER BY p.partition FOR NO KEY UPDATE;

  WITH wanted AS MATERIALIZED (
    SELECT place.partition, count(*) AS messages FROM unnest(partitions) AS place (partition) GROUP BY 1
  ), moved AS (
    UPDATE bus_partitions p SET next_offset = p.next_offset + wanted.messages FROM wanted
    WHERE p.topic = of_topic AND p.partition = wanted.partition
    RETURNING p.partition, p.next_offset - wanted.messages AS first
  )
  INSERT INTO bus_messages (topic, partition, "offset", id, key, value, published_at)
  SELECT of_topic, m.partition, moved.first + row_number() OVER (PARTITION BY m.partition ORDER BY m.place) - 1,
         m.id, m.key, m.value, clock_timestamp()
  FROM unnest(partitions, ids, keys, contents) WITH ORDINALITY AS m (partition, id, key, value, place)
  JOIN moved ON moved.partition = m.partition;
END
$$;

-- Down Migration

CREATE OR REPLACE FUNCTION bus_publish(of_topic text, partitions integer[], ids text[], keys text[], contents text[])
RETURNS void LANGUAGE plpgsql AS $$
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
