package generate

import (
	"math"
)

// Mutate changes one place of the object without knowing what it means: drops, doubles, moves or replaces it.
func (s *Source) Mutate(object Object) { s.mutateAnything(object) }

func (s *Source) mutateAnything(object Object) {
	places := collect(object, nil)
	if len(places) == 0 {
		return
	}
	place := Pick(s, places...)
	switch s.IntN(8) {
	case 0, 1:
		place.remove()
	case 2:
		place.double(s)
	case 3:
		place.set(Clone(Pick(s, places...).get()))
	case 4:
		place.set(nil)
	case 5:
		place.set(s.similar(place.get()))
	case 6:
		place.set(s.similar(place.get()))
	case 7:
		place.shuffle(s)
	}
}

// similar is another value of the same JSON type, rarely of another.
func (s *Source) similar(value any) any {
	if s.Chance(0.03) {
		return Pick[any](s, nil, true, int64(1), 1.5, "x", List{}, Object{}, "", int64(math.MaxInt64))
	}
	switch value := value.(type) {
	case string:
		return Pick(s, "", "a", "A", value+"x", value+"-", "a b", label63+"a", "gpu.example.com/model", "req-0")
	case int64:
		return Pick(s, value+1, value-1, -value, 0, 1, 33)
	case bool:
		return !value
	case List:
		return List{}
	case Object:
		return Object{}
	}
	return value
}

// place is a member of an object or an element of a list.
type place struct {
	object Object
	name   string
	owner  *place // holds the list, when object is nil
	index  int
}

// collect finds all places below value, except type and identity of the whole.
func collect(value any, owner *place) []*place {
	var places []*place
	switch value := value.(type) {
	case Object:
		for _, name := range SortedKeys(value) {
			if owner == nil && (name == "apiVersion" || name == "kind") {
				continue
			}
			here := &place{object: value, name: name}
			places = append(append(places, here), collect(value[name], here)...)
		}
	case List:
		for i, element := range value {
			here := &place{owner: owner, index: i}
			places = append(append(places, here), collect(element, here)...)
		}
	}
	return places
}

func (p *place) get() any {
	if p.object != nil {
		return p.object[p.name]
	}
	return p.owner.get().(List)[p.index]
}

func (p *place) set(value any) {
	if p.object != nil {
		p.object[p.name] = value
	} else {
		p.owner.get().(List)[p.index] = value
	}
}

func (p *place) remove() {
	if p.object != nil {
		delete(p.object, p.name)
		return
	}
	list := p.owner.get().(List)
	p.owner.set(append(append(List{}, list[:p.index]...), list[p.index+1:]...))
}

// double repeats an element of a list, or gives a member's value a second name.
func (p *place) double(s *Source) {
	if p.object != nil {
		p.object[Pick(s, "a", p.name+"2", s.key())] = Clone(p.get())
		return
	}
	list := p.owner.get().(List)
	p.owner.set(append(append(List{}, list...), Clone(p.get())))
}

func (p *place) shuffle(s *Source) {
	if list, ok := p.get().(List); ok {
		s.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
}

// Cross copies a place of another object of the same kind to where it is in this one.
func (s *Source) Cross(object, other Object) {
	for {
		names := []string{}
		for _, name := range SortedKeys(object) {
			if name != "apiVersion" && name != "kind" && name != "metadata" {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return
		}
		name := Pick(s, names...)
		mine, ok := object[name].(Object)
		theirs, same := other[name].(Object)
		if !ok || !same || s.Chance(0.3) {
			if value, ok := other[name]; ok {
				object[name] = Clone(value)
			}
			return
		}
		object, other = mine, theirs
	}
}
